/** Makes `dist`, which is what the package publishes. `npm run build` */
import { fileURLToPath } from 'node:url'
import { makeDist } from './build/dist.ts'

await makeDist(fileURLToPath(new URL('../dist', import.meta.url)))
