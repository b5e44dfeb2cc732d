// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {console} from "hardhat/console.sol";

contract Shop {
    event Sold(address indexed buyer, uint256 amount);

    error InsufficientStock(uint256 available, uint256 wanted);

    uint256 public stock;

    constructor(uint256 first) {
        stock = first;
    }

    function buy(uint256 amount) external {
        console.log("%s wants %d", msg.sender, amount);
        if (amount > stock) revert InsufficientStock(stock, amount);
        stock -= amount;
        emit Sold(msg.sender, amount);
    }

    function close() external {
        require(stock == 0, "not sold out");
        stock = type(uint256).max;
    }
}
