/** A small project in Solidity whose functions fail in the ways in which people's do. Lines are found by their text. */
import type { Abi } from 'abitype'
import type { Deployable, Devnet, SolcRun } from '../../../src/index.ts'
import type { Compilation } from '../../../src/solidity/artifacts/compilation.ts'
import { type CompileOptions, compiled, contractOf } from './solidity.ts'

/** The source files by their paths. */
export const SOURCES = {
  'contracts/Token.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Checks {
    error TooPoor(address account, uint256 has, uint256 needs);

    function requireFunds(address account, uint256 has, uint256 needs) internal pure {
        if (has < needs) revert TooPoor(account, has, needs);
    }
}

contract Token {
    address public immutable owner;
    uint256 public total;
    mapping(address => uint256) public balances;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor(uint256 supply) {
        require(supply > 0, "nothing to own");
        owner = msg.sender;
        total = supply;
        balances[msg.sender] = supply;
    }

    function transfer(address to, uint256 amount) external {
        _spend(msg.sender, amount);
        balances[to] += amount;
    }

    function burnAll(address from) external onlyOwner {
        total -= balances[from] + 1;
        balances[from] = 0;
    }

    function loop() external {
        while (true) total++;
    }

    function _spend(address from, uint256 amount) private {
        Checks.requireFunds(from, balances[from], amount);
        balances[from] -= amount;
    }
}
`,
  'contracts/Bank.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Token} from "./Token.sol";

contract Bank {
    Token public immutable token;

    constructor(Token ofToken) {
        token = ofToken;
    }

    function pay(address to, uint256 amount) external {
        token.transfer(to, amount);
    }

    function payAll(address[] calldata receivers, uint256 amount) external {
        for (uint256 i = 0; i < receivers.length; i++) {
            token.transfer(receivers[i], amount);
        }
    }

    function open(uint256 supply) external returns (Token) {
        return new Token(supply);
    }

    function ask(address whom) external view returns (uint256) {
        return Token(whom).total();
    }
}
`,
  'contracts/Proxy.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Proxy {
    address private immutable implementation;

    constructor(address at) {
        implementation = at;
    }

    fallback() external payable {
        address at = implementation;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), at, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch success
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
`,
} as const

const runs = new Map<string, Compilation>()

/** Returns the project, compiled once for each of the options. */
export function bankCompilation(options: CompileOptions = {}): Compilation {
  const key = JSON.stringify(options)
  const run = runs.get(key) ?? compiled(SOURCES, options)
  runs.set(key, run)
  return run
}

/** Returns what `devnet.artifacts.add` takes. */
export function bankRun(options: CompileOptions = {}): SolcRun {
  const { input, output, solcVersion } = bankCompilation(options)
  return { input, output, solcVersion }
}

/** Returns what `devnet.deploy` takes. */
export function artifactOf(name: string, options: CompileOptions = {}): Deployable<Abi> {
  const { output } = contractOf(bankCompilation(options), name)
  return { abi: output.abi as Abi, bytecode: creationOf(name, options) }
}

/** Returns the code that creates the contract. */
export function creationOf(name: string, options: CompileOptions = {}): `0x${string}` {
  return `0x${contractOf(bankCompilation(options), name).output.evm!.bytecode!.object}`
}

export interface Contract {
  readonly address: `0x${string}`
  readonly abi: Abi
}

/** Deploys a token of 100 and a bank of it, which has none. */
export async function openBank(
  devnet: Devnet,
): Promise<{ token: Contract; bank: Contract; proxy: Contract }> {
  const token = await devnet.deploy(artifactOf('Token'), { args: [100n] } as never)
  const bank = await devnet.deploy(artifactOf('Bank'), { args: [token.address] } as never)
  const proxy = await devnet.deploy(artifactOf('Proxy'), { args: [token.address] } as never)
  return { token, bank, proxy: { ...proxy, abi: token.abi } }
}

/** Returns a frame of a stack trace: in `file`, at the first line that begins with `text`, at that text or `part` of it. */
export function frameAt(name: string, file: keyof typeof SOURCES, text: string, part = text): string {
  const lines = SOURCES[file].split('\n')
  const line = lines.findIndex((each) => each.trim().startsWith(text))
  if (line < 0) throw new Error(`${file} has no line that begins with ${text}`)
  return `${name} (${file}:${line + 1}:${lines[line]!.indexOf(part) + 1})`
}
