/** Gas figures of several test files, merged and formatted as text, Markdown and JSON. */
import { describe, expect, it } from 'vitest'
import { type GasFigures, merged, statisticsOf } from '../../../src/solidity/gas/figures.ts'
import { gasJson, gasMarkdown, gasText } from '../../../src/solidity/gas/gasFormats.ts'

const ONE: GasFigures = [
  {
    name: 'Token',
    functions: {
      'transfer(address,uint256)': { gas: [[30_000, 2]], failed: 0 },
      'approve(address)': { gas: [], failed: 2 },
    },
    deployment: { gas: [[500_000, 1]], failed: 0, codeSize: 24_576, initCodeSize: 24_576 },
  },
]
const OTHER: GasFigures = [
  { name: 'bank', functions: { 'pay()': { gas: [[21_500, 1]], failed: 0 } } },
  {
    name: 'Token',
    source: 'src/Token.sol',
    functions: {
      'transfer(address,uint256)': {
        gas: [
          [29_000, 1],
          [30_000, 1],
        ],
        failed: 0,
      },
    },
    deployment: {
      gas: [
        [400_000, 1],
        [600_000, 1],
      ],
      failed: 0,
      codeSize: 5,
      initCodeSize: 49_152,
    },
  },
]

describe('figures', () => {
  it('of the same contract are one, wherever they come from, by name and source file', () => {
    const both = [...OTHER, { name: 'Token', source: 'src/mocks/Token.sol', functions: {} }]
    expect(merged([ONE, OTHER])).toEqual([
      OTHER[0],
      {
        name: 'Token',
        source: 'src/Token.sol',
        functions: {
          'approve(address)': { gas: [], failed: 2 },
          'transfer(address,uint256)': {
            gas: [
              [29_000, 1],
              [30_000, 3],
            ],
            failed: 0,
          },
        },
        deployment: {
          gas: [
            [400_000, 1],
            [500_000, 1],
            [600_000, 1],
          ],
          failed: 0,
          codeSize: 24_576,
          initCodeSize: 49_152,
        },
      },
    ])
    // The first of the two is ambiguous.
    expect(merged([ONE, both]).map(({ name, source }) => [name, source])).toEqual([
      ['bank', undefined],
      ['Token', undefined],
      ['Token', 'src/mocks/Token.sol'],
      ['Token', 'src/Token.sol'],
    ])
  })

  it('are the same in whichever order they come', () => {
    expect(merged([OTHER, ONE])).toEqual(merged([ONE, OTHER]))
    expect(merged([merged([ONE]), OTHER])).toEqual(merged([ONE, OTHER]))
  })

  it('have the median of an even number of values between the two in the middle', () => {
    const gas = [
      [1, 1],
      [2, 1],
      [5, 1],
      [100, 1],
    ] as const
    expect(statisticsOf({ gas, failed: 0 })).toEqual({ min: 1, max: 100, avg: 27, median: 4, count: 4 })
    expect(
      statisticsOf({
        gas: [
          [1, 3],
          [9, 2],
        ],
        failed: 0,
      })!.median,
    ).toBe(1)
  })
})

describe('a report', () => {
  const figures = merged([ONE, OTHER])

  it('has contracts and functions in alphabetical order, and counts failures apart', () => {
    expect(gasText(figures)).toBe(
      [
        'Gas            min  average  median     max  calls  failed',
        '----------------------------------------------------------',
        'bank',
        '  pay       21,500   21,500  21,500  21,500      1',
        'Token',
        '  approve        -        -       -       -      0       2',
        '  transfer  29,000   29,750  30,000  30,000      4',
        '',
        'Deployment      min  average   median      max  count  code bytes  of limit  init code bytes  of limit',
        '------------------------------------------------------------------------------------------------------',
        'Token       400,000  500,000  500,000  600,000      3      24,576   100.0 %           49,152   100.0 %',
      ].join('\n'),
    )
  })

  it('is a table in Markdown', () => {
    const [head, rule, bank, pay] = gasMarkdown(figures).split('\n')
    expect(head).toBe('| Gas | min | average | median | max | calls | failed |')
    expect(rule).toBe('| --- | ---: | ---: | ---: | ---: | ---: | ---: |')
    expect(bank).toBe('| bank |  |  |  |  |  |  |')
    expect(pay).toBe('| &nbsp;&nbsp;pay | 21,500 | 21,500 | 21,500 | 21,500 | 1 |  |')
  })

  it('has in JSON what did not happen as null, and failures in no other number', () => {
    const { bank, Token } = gasJson(figures).contracts
    expect(bank).toMatchObject({ sourceName: null, deployment: null })
    expect(Token!.functions!.approve).toEqual({ min: 0, max: 0, avg: 0, median: 0, count: 0, failed: 2 })
    expect(Token!.deployment).toMatchObject({ runtimeSize: 24_576, initCodeSize: 49_152, count: 3 })
  })

  it('of nothing is empty', () => {
    expect(gasText([])).toBe('')
    expect(gasJson([])).toEqual({ contracts: {} })
  })
})
