// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

library Limits {
    error TooLarge(uint256 amount, uint256 most);

    function check(uint256 amount) internal pure {
        if (amount > 1000) revert TooLarge(amount, 1000); // at: tooLarge
    }
}

contract Ledger {
    error NotVault(address caller);

    address public immutable vault;
    uint256 public entries;

    constructor(address of_) {
        require(of_ != address(0), "a ledger needs a vault"); // at: noVault
        vault = of_;
    }

    function note(uint256 amount) external {
        if (msg.sender != vault) revert NotVault(msg.sender); // at: notVault
        require(amount != 13, "unlucky"); // at: unlucky
        entries++;
    }
}

contract Vault { // at: Vault
    enum Mode {
        Open,
        Closed
    }

    event Stored(address indexed by, uint256 amount);
    event Moved(address indexed to, uint256 amount);

    error TooPoor(address account, uint256 has, uint256 needs);
    error Paused();

    mapping(address => uint256) public balances;
    uint256[] public amounts;
    uint256 public total;
    Mode public mode;
    Ledger public ledger;

    modifier whenOpen() {
        if (mode != Mode.Open) revert Paused(); // at: paused
        _;
    }

    constructor() {
        ledger = new Ledger(address(this));
    }

    function store(uint256 amount) external whenOpen { // at: store
        balances[msg.sender] += amount;
        total += amount;
        amounts.push(amount);
        emit Stored(msg.sender, amount);
    }

    function move(address to, uint256 amount) public {
        uint256 has = balances[msg.sender];
        if (has < amount) revert TooPoor(msg.sender, has, amount); // at: tooPoor
        balances[msg.sender] = has - amount;
        balances[to] += amount;
        emit Moved(to, amount);
    }

    function moveAll(address[] calldata receivers, uint256 amount) external {
        for (uint256 i = 0; i < receivers.length; i++) move(receivers[i], amount);
    }

    function close() external {
        mode = Mode.Closed;
    }

    function setMode(uint256 value) external {
        mode = Mode(value); // at: badMode
    }

    function limited(uint256 amount) external pure returns (uint256) {
        Limits.check(amount);
        return amount;
    }

    function said(uint256 amount) external pure {
        require(amount > 5, "the amount is too small"); // at: tooSmall
    }

    function silent() external pure {
        revert(); // at: silent
    }

    function subtract(uint256 amount) external view returns (uint256) {
        return total - amount; // at: underflow
    }

    function divide(uint256 by) external view returns (uint256) {
        return total / by; // at: zero
    }

    function amountAt(uint256 index) external view returns (uint256) {
        return amounts[index]; // at: outOfBounds
    }

    function drop() external {
        amounts.pop(); // at: empty
    }

    function check() external view {
        assert(total > 0); // at: assertion
    }

    function loop() external {
        while (true) total++; // at: endless
    }

    function stop() external pure {
        assembly ("memory-safe") {
            invalid() // at: invalid
        }
    }

    function noted(uint256 amount) external {
        ledger.note(amount);
    }

    function ask(Vault other) external view returns (uint256) {
        return other.total(); // at: noCode
    }

    function pay(address payable to) external payable {
        (bool isSent, ) = to.call{value: msg.value}("");
        require(isSent, "not paid"); // at: notPaid
    }

    function quiet(address to) external returns (bool done) {
        (done, ) = to.call(abi.encodeCall(Ledger.note, (13)));
    }
}
