using System.Runtime.Serialization;

namespace Wire.Tests.ValueSerializers;

// What users write, in all its forms: the samples of ComplexSerializerTests.
public sealed class PrivateMembers
{
    private readonly string _name;
    private int _count;

    public PrivateMembers(string name, int count) => (_name, _count) = (name, count);

    public string Name => _name;

    public int Count => _count;

    internal long Inner { get; private set; } = 5;
}

public sealed class InitMembers
{
    public required string Name { get; init; }

    public required int? Count { get; init; }

    public IReadOnlyList<string> Tags { get; init; } = [];
}

public class Base
{
    private string _state = "base";

    public string BaseState { get => _state; set => _state = value; }

    public int Shared { get; set; }
}

public class Derived : Base
{
    private string _state = "derived";

    public string DerivedState { get => _state; set => _state = value; }

    public new string? Shared { get; set; }
}

public sealed class MostDerived : Derived
{
    private object? _state;

    public object? MostDerivedState { get => _state; set => _state = value; }
}

public record Person(string Name, DateOnly? Born);

public sealed record Employee(string Name, DateOnly? Born, decimal Salary, Person? Boss) : Person(Name, Born);

public record struct Point(int X, double Y);

public readonly record struct Segment(Point From, Point To, string? Label);

public struct StructWithReferences
{
    public string? Text;
    public object? Any;
    public List<Point>? Points;
    public Person? Owner;
    public int Number;
    private byte _hidden;

    public byte Hidden { readonly get => _hidden; set => _hidden = value; }
}

public sealed class Pair<TFirst, TSecond>
{
    public TFirst? First { get; set; }

    public TSecond? Second { get; set; }

    public sealed class Inner<TThird>
    {
        public Pair<TFirst, TThird>? Value { get; set; }
    }
}

public sealed class Node
{
    public int Value { get; set; }

    public Node? Next { get; set; }

    public List<Node> Children { get; set; } = [];
}

public interface IShape
{
    double Area { get; }
}

public sealed class Square : IShape
{
    public double Side { get; set; }

    public double Area => Side * Side;
}

public abstract class Animal
{
    public string Name { get; set; } = "";
}

public sealed class Cat : Animal
{
    public int Lives { get; set; }
}

public sealed class Owner
{
    public Animal? Pet { get; set; }

    public IShape? House { get; set; }

    public IEnumerable<Animal>? Others { get; set; }
}

public sealed class LeftOut
{
    [NonSerialized]
    public int Old;

    [IgnoreMember]
    public int Field;

    [field: IgnoreMember]
    public int Backing { get; set; }

    [IgnoreMember]
    public int Property { get; set; }

    [IgnoreDataMember]
    public int Data { get; set; }

    [IgnoreMember]
    public Action? Callback { get; set; }

    public int Kept { get; set; }
}

public sealed class Empty;

public struct EmptyStruct;

public sealed class WideClass
{
    public bool A;
    public byte B;
    public char C;
    public decimal D;
    public double E;
    public DateTime F;
    public DateTimeOffset G;
    public Guid H;
    public Half I;
    public int J;
    public Int128 K;
    public nint L;
    public string? M;
    public long N;
    public TimeOnly O;
    public DayOfWeek P;
    public int? Q;
    public EmptyStruct R;
    public Point S;
    public short T;
}
