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
public sealed partial class Figure
{
    /// <summary>A number.</summary>
    public int Id { get; set; }

    /// <summary>One of the five.</summary>
    public IShape? Shape { get; set; }
}

public sealed partial class Dot : IShape
{
    public double X { get; set; }

    public double Y { get; set; }
}

public sealed partial class Circle : IShape
{
    public double X { get; set; }

    public double Y { get; set; }

    public double Radius { get; set; }
}

public sealed partial class Box : IShape
{
    public int Width { get; set; }

    public int Height { get; set; }
}

public sealed partial class Label : IShape
{
    public string Text { get; set; } = "";
}

public sealed partial class Switch : IShape
{
    public bool IsOn { get; set; }

    public long Since { get; set; }
}
