using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Floors;

/// <summary>A byte for the class of each shape, and its members.</summary>
internal readonly struct FiguresFloor : IFloor<List<Figure>>
{
    private const int MinimumBytes = sizeof(int) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(List<Figure> value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(int));
        writer.Int32(value.Count);
        foreach (Figure figure in CollectionsMarshal.AsSpan(value))
        {
            writer.Reserve(MinimumBytes + ShapeItem.LargestFixed);
            writer.Int32(figure.Id);
            ShapeItem.Write(figure.Shape, ref writer);
        }

        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static List<Figure> Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        int count = reader.Count(MinimumBytes);
        var figures = new List<Figure>(count);
        for (int i = 0; i < count; i++)
        {
            figures.Add(new Figure { Id = reader.Int32(), Shape = ShapeItem.Read(ref reader) });
        }

        return figures;
    }
}

/// <summary>The count, then a byte for the class of each shape, and its members.</summary>
internal readonly struct ShapesFloor : IFloor<List<IShape>>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(List<IShape> value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(int));
        writer.Int32(value.Count);
        foreach (IShape shape in CollectionsMarshal.AsSpan(value))
        {
            writer.Reserve(1 + ShapeItem.LargestFixed);
            ShapeItem.Write(shape, ref writer);
        }

        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static List<IShape> Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        int count = reader.Count(1);
        var shapes = new List<IShape>(count);
        for (int i = 0; i < count; i++)
        {
            shapes.Add(ShapeItem.Read(ref reader)!);
        }

        return shapes;
    }
}

/// <summary>A byte for the class of a shape, and its members.</summary>
internal static class ShapeItem
{
    /// <summary>The number of bytes of the largest one, without texts.</summary>
    public const int LargestFixed = 3 * sizeof(double);

    public static void Write(IShape? shape, ref SpanWriter writer)
    {
        switch (shape)
        {
            case null:
                writer.Byte(0);
                break;
            case Dot dot:
                writer.Byte(1);
                writer.Double(dot.X);
                writer.Double(dot.Y);
                break;
            case Circle circle:
                writer.Byte(2);
                writer.Double(circle.X);
                writer.Double(circle.Y);
                writer.Double(circle.Radius);
                break;
            case Box box:
                writer.Byte(3);
                writer.Int32(box.Width);
                writer.Int32(box.Height);
                break;
            case Label label:
                writer.Byte(4);
                writer.Reserve(SpanWriter.Room(label.Text));
                writer.Text(label.Text);
                break;
            case Switch onOff:
                writer.Byte(5);
                writer.Bool(onOff.IsOn);
                writer.Int64(onOff.Since);
                break;
            default:
                throw new ArgumentException($"{shape.GetType()} is not known.");
        }
    }

    public static IShape? Read(ref SpanReader reader) => reader.Byte() switch
    {
        0 => null,
        1 => new Dot { X = reader.Double(), Y = reader.Double() },
        2 => new Circle { X = reader.Double(), Y = reader.Double(), Radius = reader.Double() },
        3 => new Box { Width = reader.Int32(), Height = reader.Int32() },
        4 => new Label { Text = reader.Text() },
        5 => new Switch { IsOn = reader.Bool(), Since = reader.Int64() },
        var other => throw new ArgumentException($"There is no shape {other}."),
    };
}
