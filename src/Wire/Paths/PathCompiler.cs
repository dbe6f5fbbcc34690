using System.Runtime.CompilerServices;
using Wire.Compilation.Flat.Parts;
using Wire.Format;
using Wire.Manifests;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.Paths;

/// <summary>Makes the programs of one path, for the layouts that payloads have.</summary>
/// <param name="registry">The types.</param>
/// <param name="steps">The steps of the path.</param>
internal abstract class PathCompiler(TypeRegistry registry, PathStep[] steps)
{
    private const int MostShapes = 4096;
    private const int MostParts = 64;
    private const int MostHops = 4;

    /// <summary>
    /// Gets how many objects may be entered on the way, some more than there are steps: a payload may put one into another for ever.
    /// </summary>
    public int Hops => steps.Length + MostHops;

    /// <summary>Gets whether values that a payload gives a name of a type are read here, and not in the general way.</summary>
    public virtual bool TakesNamed => false;

    /// <summary>The types.</summary>
    protected TypeRegistry Registry => registry;

    /// <summary>Returns whether a part leads to the value itself, and not to one that it is inside of.</summary>
    public bool IsWhole(PathPart part) => part.Taken == steps.Length;

    /// <summary>Makes the part of the program that goes on in a value; null where there are too many.</summary>
    /// <param name="shape">The shape of the value.</param>
    /// <param name="named">The manifest that it is of; null where the payload names none.</param>
    /// <param name="taken">The number of steps that lead to it.</param>
    /// <param name="made">How many parts there are of one program.</param>
    public PathPart? Compile(Shape shape, Manifest? named, int taken, StrongBox<int> made)
    {
        // Payloads choose the layouts, and what is made of them stays for long.
        if (shape.Parts > MostShapes || Interlocked.Increment(ref made.Value) > MostParts)
        {
            return null;
        }

        var code = new PathWriter();
        Manifest? inside = taken == steps.Length ? named : null;
        while (taken < steps.Length)
        {
            shape = shape.Resolved;
            PathStep step = steps[taken];
            switch (shape.Code)
            {
                case ShapeCode.Nullable:
                    code.Add(PathCode.Present);
                    shape = shape.Element!;
                    continue;
                case ShapeCode.Tagged:
                    return End(PathEnd.Object, shape);
                case ShapeCode.Union:
                    return End(PathEnd.Case, shape);
                case ShapeCode.Members when step.IsName && IndexOf(shape, step.Text) is >= 0 and int member:
                    foreach (ShapeMember passed in shape.Members.AsSpan(0, member))
                    {
                        code.Pass(passed.Shape);
                    }

                    shape = shape.Members[member].Shape;
                    break;
                case ShapeCode.Sequence or ShapeCode.Set when step.Index >= 0:
                    if (shape.Code == ShapeCode.Set)
                    {
                        code.Add(PathCode.Comparer);
                    }

                    code.Add(PathCode.Element, shape, (uint)step.Index);
                    shape = shape.Element!;
                    break;
                case ShapeCode.Map when step.IsInBrackets && PathKey.Find(step, shape.Element!) is { } key:
                    code.Add(PathCode.Comparer);
                    code.Add(PathCode.Key, shape, 0, key);
                    shape = shape.Value!;
                    break;
                case ShapeCode.Map when !step.IsInBrackets:
                case ShapeCode.Members or ShapeCode.Set:
                    return End(PathEnd.Missing, shape);
                default:
                    return End(TagTypes.IsTag(shape.Code) || shape.Code == ShapeCode.Enum ? PathEnd.Missing : PathEnd.Other, shape);
            }

            taken++;
        }

        shape = shape.Resolved;
        (PathEnd end, PathReader? reader, Shape at) = TryReaderOf(shape, inside);
        return End(end, at, reader);

        PathPart End(PathEnd end, Shape at, PathReader? reader = null) =>
            new()
            {
                Instructions = code.Code,
                Before = code.Before,
                End = end,
                Shape = at,
                Taken = taken,
                Made = made,
                Reader = reader,
                RawSize = reader?.RawSize ?? 0,
            };
    }

    private (PathEnd End, PathReader? Reader, Shape At) TryReaderOf(Shape shape, Manifest? named)
    {
        try
        {
            return ReaderOf(shape, named);
        }
        catch (Exception e) when (e is WireFormatException or TypeRefusedException or UnsupportedTypeException)
        {
            // The general way says why, where there is a value.
            return (PathEnd.Other, null, shape);
        }
    }

    /// <summary>Finds what reads a value at the end of the path.</summary>
    /// <param name="shape">The shape of the value.</param>
    /// <param name="named">The manifest that it is of; null where the payload names none.</param>
    protected abstract (PathEnd End, PathReader? Reader, Shape At) ReaderOf(Shape shape, Manifest? named);

    private static int IndexOf(Shape shape, string name) => Array.FindIndex(shape.Members, member => member.Name == name);
}

/// <summary>Makes programs that lead to values of one type.</summary>
internal class PathCompiler<T>(Serializer serializer, PathStep[] steps, PathLimits limits)
    : PathCompiler(serializer.Registry, steps)
{
    protected override (PathEnd End, PathReader? Reader, Shape At) ReaderOf(Shape shape, Manifest? named)
    {
        Registry.Resolver.Judge(typeof(T));
        if (typeof(T) == typeof(byte[]))
        {
            // Bytes in place; the array itself is read in the general way.
            return shape.Code == ShapeCode.Tagged ? (PathEnd.Object, null, shape)
                : shape is { Code: ShapeCode.Sequence, Element.Code: Tag.Byte } ? (PathEnd.Value, new BytesPathReader(), shape)
                : (PathEnd.Other, null, shape);
        }

        ValueSerializer<T> slot = Registry.Slot<T>();
        Shape own = Registry.Shape(slot);
        if (shape.Code == ShapeCode.Tagged)
        {
            return shape.Declared is null && TagTypes.IsTag(own.Code) && TagTypes.TypeOf(own.Code) == typeof(T)
                && OwnReader(slot) is { } behindTag
                ? (PathEnd.TaggedValue, behindTag, own)
                : (PathEnd.Other, null, shape);
        }

        PathReader<T>? reader = Registry.IsOwn(shape, own) ? OwnReader(slot) : Adapted(slot, shape);
        return (reader is null ? PathEnd.Other : PathEnd.Value, reader, shape);
    }

    private PathReader<T>? OwnReader(ValueSerializer<T> slot) =>
        slot is ValueSerializer<string> ? (PathReader<T>)(object)new TextPathReader(limits)
        : (slot as IFlatSlot)?.CreateFlatPart() is { } part
            ? new FlatPathReader<T>(part, slot is IFixedSerializer { CanFail: false, FixedSize: var size } ? size : 0)
        : null;

    private AdaptedPathReader<T>? Adapted(ValueSerializer<T> slot, Shape shape)
    {
        if ((shape.Code == ShapeCode.Nullable ? shape.Element! : shape) is not { FixedSize: > 0, Code: not ShapeCode.Members }
            || slot is not IFlatSlot)
        {
            return null;
        }

        return new(serializer, (ValueSerializer<T>)slot.Adapt(shape, new AdaptContext(Registry, null, null) { IsPart = true }));
    }
}
