// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Counter} from "../src/Counter.sol";

/// @dev As much of forge-std's Vm as is needed here.
interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

/// @notice Deploys a counter and calls it: the calls are transactions of their own, which need the deployment.
contract Deploy {
    Vm private constant VM = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function run() external returns (Counter counter) {
        VM.startBroadcast();
        counter = new Counter();
        counter.add(2);
        counter.add(3);
        VM.stopBroadcast();
        require(counter.number() == 5, "not counted");
    }
}
