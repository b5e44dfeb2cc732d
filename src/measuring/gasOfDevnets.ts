/** Measures the gas of all transactions of this process, from the events of its devnets. */
import type { SliceMoment } from '../chain/moment.ts'
import { observeDevnets } from '../devnet/events.ts'
import type { GasFigures } from '../solidity/gas/figures.ts'
import { GasMeter } from '../solidity/gas/gasMeter.ts'

/** A measurement that has begun. */
export interface GasMeasurement {
  /** Reads the artifacts that name contracts which no ABI names. */
  loadArtifacts(): Promise<void>
  /** Returns what was measured so far, by the names that contracts have now. */
  figures(): GasFigures
  /** Ends it: devnets that are made later are not measured. */
  end(): void
}

/**
 * Begins to measure all devnets that are made from now on. A transaction is measured when its block is sealed; one that is
 * pre-confirmed only, when its devnet is closed or the figures are asked for. `restore` does not take back what was measured.
 */
export function measureGas(): GasMeasurement {
  const meter = new GasMeter()
  const openBlocks = new Set<() => void>()
  const end = observeDevnets((devnet) => {
    const own = meter.of(devnet)
    let open: SliceMoment | undefined
    const measureOpen = () => {
      if (open !== undefined) own.measure(open)
      open = undefined
    }
    openBlocks.add(measureOpen)
    const offs = [
      devnet.on('preconfirmed', (moment) => {
        open = moment
      }),
      devnet.on('sealed', (moment) => {
        own.measure(moment)
        open = undefined
      }),
    ]
    return () => {
      measureOpen()
      openBlocks.delete(measureOpen)
      for (const off of offs) off()
    }
  })
  const measureAllOpen = () => {
    for (const measureOpen of openBlocks) measureOpen()
  }
  return {
    loadArtifacts() {
      measureAllOpen()
      return meter.loadArtifacts()
    },
    figures() {
      measureAllOpen()
      return meter.figures()
    },
    end,
  }
}
