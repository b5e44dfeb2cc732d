// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

// The rules of 2026 for games and withdrawals, written from op-contracts 5: OptimismPortal2 asks AnchorStateRegistry, and
// DisputeGameFactory appends gameArgs. Without deposits, roles and Merkle proofs. The gap leaves out the slots of the
// contracts that a test replaces.

interface Game {
    function initialize() external payable;
    function createdAt() external view returns (uint64);
    function resolvedAt() external view returns (uint64);
    function status() external view returns (uint8);
    function rootClaim() external view returns (bytes32);
    function extraData() external view returns (bytes memory);
    function gameData() external view returns (uint32, bytes32, bytes memory);
    function anchorStateRegistry() external view returns (address);
    function wasRespectedGameTypeWhenCreated() external view returns (bool);
}

contract Clone {
    address private immutable implementation;

    constructor(address _implementation, bytes memory appended) {
        implementation = _implementation;
        slot().data = abi.encodePacked(appended, uint16(appended.length + 2));
    }

    fallback() external payable {
        (bool success, bytes memory result) = implementation.delegatecall(abi.encodePacked(msg.data, slot().data));
        assembly {
            switch success
            case 0 { revert(add(result, 32), mload(result)) }
            default { return(add(result, 32), mload(result)) }
        }
    }

    struct Appended {
        bytes data;
    }

    function slot() private pure returns (Appended storage found) {
        assembly {
            found.slot := 0xc10e
        }
    }
}

contract DisputeGameFactory {
    struct Found {
        uint256 index;
        bytes32 metadata;
        uint64 timestamp;
        bytes32 rootClaim;
        bytes extraData;
    }

    uint256[1000] private gap;
    mapping(uint32 => address) public gameImpls;
    mapping(uint32 => uint256) public initBonds;
    mapping(uint32 => bytes) public gameArgs;
    mapping(bytes32 => address) private byId;
    address[] private list;

    error IncorrectBondAmount();

    function setImplementation(uint32 gameType, address implementation, bytes calldata args, uint256 bond) external {
        gameImpls[gameType] = implementation;
        gameArgs[gameType] = args;
        initBonds[gameType] = bond;
    }

    function create(uint32 gameType, bytes32 root, bytes calldata extraData) external payable returns (address game) {
        if (msg.value != initBonds[gameType]) revert IncorrectBondAmount();
        bytes32 parent = blockhash(block.number - 1);
        bytes memory plain = abi.encodePacked(msg.sender, root, parent, gameType, extraData, gameArgs[gameType]);
        game = address(new Clone(gameImpls[gameType], plain));
        Game(game).initialize{ value: msg.value }();
        byId[keccak256(abi.encode(gameType, root, extraData))] = game;
        list.push(game);
    }

    function games(uint32 gameType, bytes32 root, bytes calldata extraData) external view returns (address, uint64) {
        address game = byId[keccak256(abi.encode(gameType, root, extraData))];
        return (game, Game(game).createdAt());
    }

    function gameCount() external view returns (uint256) {
        return list.length;
    }

    function gameAtIndex(uint256 index) external view returns (uint32 gameType, uint64, address) {
        (gameType,,) = Game(list[index]).gameData();
        return (gameType, Game(list[index]).createdAt(), list[index]);
    }

    function findLatestGames(uint32 gameType, uint256 start, uint256) external view returns (Found[] memory found) {
        if (list.length == 0) return found;
        found = new Found[](start + 1);
        for (uint256 i = 0; i <= start; i++) {
            Game game = Game(list[start - i]);
            uint64 at = game.createdAt();
            bytes32 metadata = bytes32(abi.encodePacked(gameType, at, address(game)));
            found[i] = Found(start - i, metadata, at, game.rootClaim(), game.extraData());
        }
    }
}

contract AnchorStateRegistry {
    DisputeGameFactory public immutable disputeGameFactory;
    uint32 public immutable respectedGameType;
    uint64 public immutable retirementTimestamp;
    uint64 public constant disputeGameFinalityDelaySeconds = 3.5 days;

    constructor(DisputeGameFactory factory, uint32 gameType, uint64 retirement) {
        disputeGameFactory = factory;
        respectedGameType = gameType;
        retirementTimestamp = retirement;
    }

    function isGameProper(Game game) public view returns (bool) {
        (uint32 gameType, bytes32 root, bytes memory extraData) = game.gameData();
        (address registered,) = disputeGameFactory.games(gameType, root, extraData);
        bool isRegistered = registered == address(game) && game.anchorStateRegistry() == address(this);
        return isRegistered && game.createdAt() > retirementTimestamp;
    }

    function isGameRespected(Game game) public view returns (bool) {
        return game.wasRespectedGameTypeWhenCreated();
    }

    function isGameFinalized(Game game) public view returns (bool) {
        uint64 resolved = game.resolvedAt();
        return resolved != 0 && game.status() != 0 && block.timestamp - resolved > disputeGameFinalityDelaySeconds;
    }

    function isGameClaimValid(Game game) external view returns (bool) {
        return isGameProper(game) && isGameRespected(game) && isGameFinalized(game) && game.status() == 2;
    }
}

contract OptimismPortal2 {
    struct Withdrawal {
        uint256 nonce;
        address sender;
        address target;
        uint256 value;
        uint256 gasLimit;
        bytes data;
    }

    struct Output {
        bytes32 version;
        bytes32 stateRoot;
        bytes32 messagePasserStorageRoot;
        bytes32 latestBlockhash;
    }

    struct Proof {
        Game game;
        uint64 timestamp;
    }

    string public constant version = "5.1.1";
    uint256 public constant proofMaturityDelaySeconds = 7 days;
    AnchorStateRegistry public immutable anchorStateRegistry;
    address public immutable systemConfig;

    uint256[1000] private gap;
    mapping(bytes32 => bool) public finalizedWithdrawals;
    mapping(bytes32 => mapping(address => Proof)) public provenWithdrawals;
    mapping(bytes32 => address[]) public proofSubmitters;

    error OptimismPortal_AlreadyFinalized();
    error OptimismPortal_ImproperDisputeGame();
    error OptimismPortal_InvalidDisputeGame();
    error OptimismPortal_InvalidOutputRootProof();
    error OptimismPortal_InvalidProofTimestamp();
    error OptimismPortal_InvalidRootClaim();
    error OptimismPortal_ProofNotOldEnough();
    error OptimismPortal_Unproven();

    constructor(AnchorStateRegistry registry, address config) {
        anchorStateRegistry = registry;
        systemConfig = config;
    }

    function disputeGameFactory() public view returns (DisputeGameFactory) {
        return anchorStateRegistry.disputeGameFactory();
    }

    function respectedGameType() external view returns (uint32) {
        return anchorStateRegistry.respectedGameType();
    }

    function numProofSubmitters(bytes32 hash) external view returns (uint256) {
        return proofSubmitters[hash].length;
    }

    function proveWithdrawalTransaction(
        Withdrawal memory withdrawal,
        uint256 index,
        Output calldata output,
        bytes[] calldata
    ) external {
        (,, address at) = disputeGameFactory().gameAtIndex(index);
        Game game = Game(at);
        if (!anchorStateRegistry.isGameProper(game)) revert OptimismPortal_ImproperDisputeGame();
        if (!anchorStateRegistry.isGameRespected(game)) revert OptimismPortal_InvalidDisputeGame();
        if (game.status() == 1) revert OptimismPortal_InvalidDisputeGame();
        if (block.timestamp <= game.createdAt()) revert OptimismPortal_InvalidProofTimestamp();
        if (game.rootClaim() != keccak256(abi.encode(output))) revert OptimismPortal_InvalidOutputRootProof();
        bytes32 hash = hashOf(withdrawal);
        provenWithdrawals[hash][msg.sender] = Proof(game, uint64(block.timestamp));
        proofSubmitters[hash].push(msg.sender);
    }

    function checkWithdrawal(bytes32 hash, address submitter) public view {
        Proof memory proof = provenWithdrawals[hash][submitter];
        if (finalizedWithdrawals[hash]) revert OptimismPortal_AlreadyFinalized();
        if (proof.timestamp == 0) revert OptimismPortal_Unproven();
        if (proof.timestamp <= proof.game.createdAt()) revert OptimismPortal_InvalidProofTimestamp();
        if (block.timestamp - proof.timestamp <= proofMaturityDelaySeconds) revert OptimismPortal_ProofNotOldEnough();
        if (!anchorStateRegistry.isGameClaimValid(proof.game)) revert OptimismPortal_InvalidRootClaim();
    }

    function finalizeWithdrawalTransaction(Withdrawal memory withdrawal) external {
        bytes32 hash = hashOf(withdrawal);
        checkWithdrawal(hash, msg.sender);
        finalizedWithdrawals[hash] = true;
        (bool success,) = withdrawal.target.call{ value: withdrawal.value }(withdrawal.data);
        require(success);
    }

    function hashOf(Withdrawal memory it) private pure returns (bytes32) {
        return keccak256(abi.encode(it.nonce, it.sender, it.target, it.value, it.gasLimit, it.data));
    }
}
