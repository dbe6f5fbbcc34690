using Wire.Compilation;
using Wire.Format;
using Wire.Values;

namespace Wire.Paths;

/// <summary>
/// The layout of an object, a list or a dictionary as one writer has it, with the ways from its beginning to what is in it, for views.
/// Thread-safe.
/// </summary>
/// <param name="shape">Its shape.</param>
/// <param name="reader">The value serializer that reads it, which has matched the writer's members with those of the type.</param>
/// <param name="serializer">The serializer.</param>
/// <param name="limits">The limits.</param>
internal sealed class ViewLayout(Shape shape, ValueSerializer reader, Serializer serializer, PathLimits limits) : PathReader
{
    /// <summary>The number of the elements of a list, and of the values of a dictionary.</summary>
    public const int Element = 0;

    /// <summary>The number of the keys of a dictionary.</summary>
    public const int Key = 1;

    // Of members, by their numbers.
    private ViewWay?[] _values = [];
    private ViewWay?[] _views = [];

    // Of elements and keys.
    private ViewWay?[] _partValues = [];
    private ViewWay?[] _partViews = [];

    /// <summary>Gets the part that leads from its beginning behind it, where it is an object; null for others.</summary>
    public PathPart? Behind { get; } = shape.Members.Length > 0 && PathPart.Behind(shape) is { IsPassable: true } behind ? behind : null;

    /// <summary>Gets whether it is an object with members.</summary>
    public bool IsObject => reader is IMemberwise;

    /// <summary>Gets the way to the value of a member; null where it has not been asked for.</summary>
    public ViewWay? FindValue(int number) => Find(_values, number);

    /// <summary>Gets the way to the place of a member; null where it has not been asked for.</summary>
    public ViewWay? FindView(int number) => Find(_views, number);

    /// <summary>Makes the way to the value of a member.</summary>
    /// <param name="number">The number of the member among those of the type.</param>
    /// <param name="name">The name that it has in payloads of this program.</param>
    /// <exception cref="ArgumentException">The type has no such member.</exception>
    public ViewWay AddValue<T>(int number, string name) =>
        Add(ref _values, number, Way(StepTo(name), steps => new PathCompiler<T>(serializer, steps, limits)));

    /// <inheritdoc cref="AddValue{T}(int, string)"/>
    public ViewWay AddView<T>(int number, string name) =>
        Add(ref _views, number, Way(StepTo(name), steps => new ViewCompiler<T>(serializer, steps, limits)));

    /// <summary>Gets the way to the value of a key or element, from its beginning.</summary>
    public ViewWay ValueOf<T>(int number) => Find(_partValues, number) is ViewWay<T> known ? known
        : Add(ref _partValues, number, new ViewWay<T>(new PathCompiler<T>(serializer, [], limits), ShapeOf(number)));

    /// <summary>Gets the way to the place of a key or element, from its beginning.</summary>
    public ViewWay ViewOf<T>(int number) => Find(_partViews, number) is ViewWay<T> known ? known
        : Add(ref _partViews, number, new ViewWay<T>(new ViewCompiler<T>(serializer, [], limits), ShapeOf(number)));

    private static ViewWay? Find(ViewWay?[] ways, int number) => (uint)number < (uint)ways.Length ? ways[number] : null;

    // Of two threads that add one at a time, one has to add it again.
    private static ViewWay Add(ref ViewWay?[] ways, int number, ViewWay way)
    {
        ViewWay?[] known = Volatile.Read(ref ways);
        var more = new ViewWay?[Math.Max(known.Length, number + 1)];
        known.CopyTo(more, 0);
        more[number] = way;
        Volatile.Write(ref ways, more);
        return way;
    }

    private ViewWay<T> Way<T>(PathStep? step, Func<PathStep[], PathCompiler<T>> compile) =>
        step is { } there ? new(compile([there]), shape) : new(compile([]), shape, isThere: false);

    private Shape ShapeOf(int number) => number == Element && shape.Value is { } value ? value : shape.Element!;

    /// <summary>Finds the step to a member; null where the writer has no such member.</summary>
    /// <param name="name">The name that it has in payloads of this program.</param>
    /// <exception cref="ArgumentException">The type has no such member.</exception>
    public PathStep? StepTo(string name)
    {
        var members = (IMemberwise)reader;
        if (!Array.Exists(members.Plan.Members, member => member.Name == name))
        {
            throw new ArgumentException(
                $"{reader.Type} has no member '{name}' in payloads of this serializer: it is spelled otherwise, or options leave it out.");
        }

        IReadOnlyList<ReadStep> steps = members.Steps;
        for (int i = 0; i < shape.Members.Length; i++)
        {
            if (steps[i].Member?.Name == name)
            {
                return new PathStep(shape.Members[i].Name, IsQuoted: true, IsInBrackets: true);
            }
        }

        return null;
    }
}

/// <summary>A way from the beginning of a value to something in it.</summary>
/// <param name="compiler">What makes the program.</param>
/// <param name="from">The shape of the value.</param>
/// <param name="isThere">False where the writer has no such thing.</param>
internal abstract class ViewWay(PathCompiler compiler, Shape from, bool isThere)
{
    /// <summary>The first part of the program.</summary>
    public readonly PathPart Part =
        (isThere ? compiler.Compile(from, null, 0, new()) : null) ?? PathPart.Ending(isThere ? PathEnd.Other : PathEnd.Missing, from);

    /// <summary>Makes the parts that follow.</summary>
    public readonly PathCompiler Compiler = compiler;
}

/// <inheritdoc/>
internal sealed class ViewWay<T>(PathCompiler<T> compiler, Shape from, bool isThere = true) : ViewWay(compiler, from, isThere);
