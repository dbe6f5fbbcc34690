using System.Runtime.Serialization;
using System.Text.Json.Serialization;

namespace Bench;

/// <summary>What a figure looks like; five classes implement it. The attributes are for System.Text.Json.</summary>
[JsonDerivedType(typeof(Dot), "dot")]
[JsonDerivedType(typeof(Circle), "circle")]
[JsonDerivedType(typeof(Box), "box")]
[JsonDerivedType(typeof(Label), "label")]
[JsonDerivedType(typeof(Switch), "switch")]
public partial interface IShape;

/// <summary>A member whose type says little about what it holds.</summary>
[DataContract]
public sealed partial class Figure
{
    /// <summary>A number.</summary>
    [DataMember(Order = 0)]
    public int Id { get; set; }

    /// <summary>One of the five.</summary>
    [DataMember(Order = 1)]
    public IShape? Shape { get; set; }
}

[DataContract]
public sealed partial class Dot : IShape
{
    [DataMember(Order = 0)]
    public double X { get; set; }

    [DataMember(Order = 1)]
    public double Y { get; set; }
}

[DataContract]
public sealed partial class Circle : IShape
{
    [DataMember(Order = 0)]
    public double X { get; set; }

    [DataMember(Order = 1)]
    public double Y { get; set; }

    [DataMember(Order = 2)]
    public double Radius { get; set; }
}

[DataContract]
public sealed partial class Box : IShape
{
    [DataMember(Order = 0)]
    public int Width { get; set; }

    [DataMember(Order = 1)]
    public int Height { get; set; }
}

[DataContract]
public sealed partial class Label : IShape
{
    [DataMember(Order = 0)]
    public string Text { get; set; } = "";
}

[DataContract]
public sealed partial class Switch : IShape
{
    [DataMember(Order = 0)]
    public bool IsOn { get; set; }

    [DataMember(Order = 1)]
    public long Since { get; set; }
}
