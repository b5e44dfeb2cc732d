// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

contract Counter {
    uint256 public number;

    function add(uint256 amount) external {
        number += amount;
    }
}
