// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {console} from "hardhat/console.sol";

contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    error InsufficientBalance(address sender, uint256 balance, uint256 needed);

    string public constant name = "Token";
    string public constant symbol = "TOK";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    constructor(uint256 supply) {
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 balance = balanceOf[msg.sender];
        if (balance < value) revert InsufficientBalance(msg.sender, balance, value);
        balanceOf[msg.sender] = balance - value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

contract Suite {
    enum Color {
        Red,
        Green
    }
    struct Point {
        uint256 x;
        string label;
    }

    event Stored(uint256 indexed id, string indexed topic, string text);
    event Pair(address first, Point point, uint256[] list);

    error Plain();
    error Values(uint256 x, string text, address who);
    error WithPoint(Point point, uint256[] list, bytes data);

    uint256 public value;
    uint256[] public list;

    constructor() payable {}

    function set(uint256 next) external {
        value = next;
    }

    function deposit() external payable {}

    function pay(address payable to, uint256 amount) external {
        to.transfer(amount);
    }

    // Failures

    function atLeast(uint256 x) external {
        require(x >= 10, "too small");
        value = x;
    }

    function withoutReason() external {
        value = 1;
        require(false);
    }

    function plain() external {
        value = 1;
        revert Plain();
    }

    function values(uint256 x) external view {
        revert Values(x, "a text", msg.sender);
    }

    function withPoint() external pure {
        uint256[] memory numbers = new uint256[](2);
        numbers[1] = 2;
        revert WithPoint(Point(1, "one"), numbers, hex"c0de");
    }

    function assertion(bool fine) external pure {
        assert(fine);
    }

    function add(uint256 x) external pure returns (uint256) {
        return type(uint256).max + x;
    }

    function divide(uint256 x) external pure returns (uint256) {
        return 100 / x;
    }

    function color(uint256 x) external pure returns (Color) {
        return Color(x);
    }

    function pop() external {
        list.pop();
    }

    function item(uint256 i) external view returns (uint256) {
        return list[i];
    }

    function allocate(uint256 size) external pure returns (uint256) {
        return new uint256[](size).length;
    }

    function callNothing() external pure returns (uint256) {
        function() internal pure returns (uint256) nothing;
        return nothing();
    }

    function invalid() external pure {
        assembly {
            invalid()
        }
    }

    function balanceIn(Token token) external view returns (uint256) {
        return token.balanceOf(address(this));
    }

    function transferOf(Token token) external {
        token.transfer(msg.sender, 1);
    }

    function setOf(Suite target) external {
        target.set(1);
    }

    function burnGas() external {
        while (true) value++;
    }

    function panicWith(uint256 code) external pure {
        bytes memory data = abi.encodeWithSignature("Panic(uint256)", code);
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    function unknownError() external pure {
        assembly {
            mstore(0, shl(224, 0xdeadbeef))
            revert(0, 4)
        }
    }

    // Events

    function store(uint256 id, string calldata text) external {
        emit Stored(id, text, text);
    }

    function pair() external {
        emit Pair(msg.sender, Point(7, "seven"), list);
        emit Stored(1, "a", "b");
        emit Stored(2, "a", "c");
    }

    function log() external {
        console.log("value is %d for %s", value, msg.sender);
        value++;
    }

    // The block and the transaction

    function environment()
        external
        view
        returns (uint256 number, uint256 time, uint256 fee, address coinbase, uint256 randao, uint256 gas, uint256 chain)
    {
        return (
            block.number,
            block.timestamp,
            block.basefee,
            block.coinbase,
            block.prevrandao,
            block.gaslimit,
            block.chainid
        );
    }

    function storeTime() external {
        value = block.timestamp;
    }

    function afterTime(uint256 time) external view returns (bool) {
        require(block.timestamp >= time, "too early");
        return true;
    }

    function sender() external view returns (address, address, uint256) {
        return (msg.sender, tx.origin, gasleft());
    }

    function hashOf(uint256 number) external view returns (bytes32) {
        return blockhash(number);
    }

    // Signatures

    function recover(bytes32 digest, uint8 v, bytes32 r, bytes32 s) external pure returns (address) {
        return ecrecover(digest, v, r, s);
    }
}

contract Factory {
    event Created(address child);

    function create2(bytes32 salt) external payable {
        emit Created(address(new Suite{salt: salt, value: msg.value}()));
    }

    function clone(address target) external returns (address child) {
        bytes memory code = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73",
            target,
            hex"5af43d82803e903d91602b57fd5bf3"
        );
        assembly {
            child := create(0, add(code, 32), mload(code))
        }
        emit Created(child);
    }
}

/// Has the same first variable as Suite, and sets it by code of another contract.
contract Delegator {
    uint256 public value;

    function set(address target, uint256 next) external {
        (bool success, ) = target.delegatecall(abi.encodeCall(Suite.set, (next)));
        require(success, "delegatecall failed");
    }
}

contract FailingConstructor {
    error Forbidden(uint256 got);

    constructor(uint256 kind) {
        require(kind != 1, "kind 1");
        if (kind == 2) revert Forbidden(kind);
        assert(kind != 3);
    }
}

contract Receiver {
    uint256 public received;

    receive() external payable {
        received += msg.value;
    }
}

contract Refuser {
    receive() external payable {
        revert("no gifts");
    }
}
