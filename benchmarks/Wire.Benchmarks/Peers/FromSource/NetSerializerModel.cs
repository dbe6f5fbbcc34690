namespace Bench;

// NetSerializer takes classes that are marked with the platform's own attribute.

[Serializable]
public partial class Poco;

[Serializable]
public sealed partial class OneInt;

[Serializable]
public sealed partial class Order;

[Serializable]
public sealed partial class Ping;

[Serializable]
public sealed partial class Ack;

[Serializable]
public sealed partial class Reading;

[Serializable]
public sealed partial class Notice;

[Serializable]
public sealed partial class Move;

[Serializable]
public sealed partial class Transfer;

[Serializable]
public sealed partial class Account;

[Serializable]
public sealed partial class Samples;

[Serializable]
public sealed partial class Basket;

[Serializable]
public sealed partial class Line;

[Serializable]
public sealed partial class Remark;

[Serializable]
public sealed partial class Figure;

[Serializable]
public sealed partial class Dot;

[Serializable]
public sealed partial class Circle;

[Serializable]
public sealed partial class Box;

[Serializable]
public sealed partial class Label;

[Serializable]
public sealed partial class Switch;

[Serializable]
public sealed partial class TreeNode;
