using Wire.Comparing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Surrogates;

/// <summary>Stand-ins for classes, base classes, interfaces and value types.</summary>
public class SurrogateTests
{
    public interface IShape
    {
        double Size { get; }
    }

    public sealed class Circle : IShape
    {
        public double Size { get; init; }
    }

    public struct Square : IShape
    {
        public double Size { get; set; }
    }

    public sealed class ShapeSurrogate
    {
        public string? Kind;
        public double Size;
    }

    public struct Meters
    {
        public double Value;
    }

    public sealed class Drawing
    {
        public IShape? Shape;
        public Circle? Circle;
        public Square Square;
        public Meters Width;
        public Meters? Height;
        public List<IShape>? Shapes;
        public Dictionary<string, Meters>? Lengths;
        public object?[]? Things;
    }

    private sealed class Broken;

    private sealed class ConversionException : Exception;

    private static readonly Surrogate[] Surrogates =
    [
        Surrogate.Create<Square, string>(
            s => s.Size.ToString("R", System.Globalization.CultureInfo.InvariantCulture),
            t => new Square { Size = double.Parse(t, System.Globalization.CultureInfo.InvariantCulture) }),
        Surrogate.Create<IShape, ShapeSurrogate>(
            s => new ShapeSurrogate { Kind = s.GetType().Name, Size = s.Size },
            s => s.Kind == nameof(Circle) ? new Circle { Size = s.Size } : throw new ConversionException()),
        Surrogate.Create<Meters, double>(m => m.Value, d => new Meters { Value = d }),
        Surrogate.Create<Broken, int>(_ => throw new ConversionException(), _ => throw new ConversionException()),
    ];

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void Stand_ins_are_written_wherever_the_value_sits(bool dynamicCode, bool references)
    {
        Serializer serializer = Make(dynamicCode, references);
        var drawing = new Drawing
        {
            Shape = new Circle { Size = 1 },
            Circle = new Circle { Size = 2 },
            Square = new Square { Size = 3 },
            Width = new Meters { Value = 4 },
            Height = new Meters { Value = 5 },
            Shapes = [new Circle { Size = 6 }, new Square { Size = 7 }],
            Lengths = new() { ["a"] = new Meters { Value = 8 } },
            Things =
            [
                new Circle { Size = 9 },
                new Square { Size = 10 },
                new Meters { Value = 11 },
                new Meters[] { new() { Value = 12 } },
                null,
            ],
        };
        byte[] payload = serializer.Serialize(drawing);
        GraphAssert.Same(drawing, serializer.Deserialize<Drawing>(payload), sharing: false);
        GraphAssert.Same(drawing, serializer.CopyBothWays(drawing), sharing: false);
        Assert.Equal(1, serializer.RoundTrip(new Circle { Size = 1 }).Size);
        Assert.Equal(2, serializer.RoundTrip(new Meters { Value = 2 }).Value);
        Assert.Equal(3, Assert.IsType<Square>(serializer.RoundTrip<IShape>(new Square { Size = 3 })).Size);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void What_a_conversion_throws_comes_out_as_it_is(bool dynamicCode, bool references)
    {
        Serializer serializer = Make(dynamicCode, references);
        Assert.Throws<ConversionException>(() => serializer.Serialize(new object[] { 1, new Broken() }));
        byte[] payload = serializer.Serialize<IShape[]>([new Circle { Size = 1 }]);
        payload[payload.AsSpan().IndexOf("Circle"u8)] = (byte)'X';
        Assert.Throws<ConversionException>(() => serializer.Deserialize<IShape[]>(payload));
        Assert.Equal(1, serializer.RoundTrip(new Circle { Size = 1 }).Size);
    }

    [Fact]
    public void A_side_without_the_surrogate_reports_it()
    {
        byte[] payload = Make(true, false).Serialize(new Circle { Size = 1 });
        Assert.ThrowsAny<WireFormatException>(() => Setup.Serializer(true).Deserialize<Circle>(payload));
        byte[] plain = Setup.Serializer(true).Serialize(new Circle { Size = 1 });
        Assert.Equal(
            WireFormatError.SchemaMismatch, Assert.Throws<WireFormatException>(() => Make(true, false).Deserialize<Circle>(plain)).Error);
    }

    [Fact]
    public void A_surrogate_that_stands_for_itself_is_refused()
    {
        Assert.Throws<ArgumentException>(() => Surrogate.Create<Animal, Dog>(_ => new Dog(), d => d));
        Assert.Throws<ArgumentNullException>(() => Surrogate.Create<Leaf, int>(null!, _ => new Leaf()));
    }

    private static Serializer Make(bool dynamicCode, bool references) =>
        Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Surrogates = [.. Surrogates] });

    // What reflection makes of it is what a native program has been told of, which has no row for it.
    [Fact]
    public void A_stand_in_that_is_a_struct_needs_no_row_in_native_code()
    {
        var serializer = new Serializer(new SerializerOptions
        {
            Surrogates = [Surrogate.Create<Circle, Meters>(c => new Meters { Value = c.Size }, m => new Circle { Size = m.Value })],
            DynamicCode = false,
        });

        Circle? copy = null;
        Type[] made = BuiltIns.MadeBy(() => copy = serializer.Deserialize<Circle>(serializer.Serialize(new Circle { Size = 2 })));
        Type[] told = BuiltIns.StandInSeenByNativeCode(typeof(Meters));

        Assert.Equal(2, copy!.Size);
        Type[] ofStandIn = [.. made.Where(type => type.GetGenericArguments().Contains(typeof(Meters)))];
        Assert.NotEmpty(ofStandIn);
        Assert.All(ofStandIn, type => Assert.Contains(type, told));
    }
}
