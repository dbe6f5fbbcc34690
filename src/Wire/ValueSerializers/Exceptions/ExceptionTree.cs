using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.ValueSerializers.Exceptions;

/// <summary>
/// The tree that is printed with an exception: its inner exception, and the lists of those that hold several. Printing recurses on the
/// stack, and prints shared parts each time, so a few bytes could end the process or fill its memory.
/// </summary>
internal static class ExceptionTree
{
    /// <summary>Printing an exception recurses into its inner exceptions.</summary>
    public const int MaxInner = 1000;

    // All of them are printed. More than a program has at a time, and few enough to be counted repeatedly.
    private const long MaxPrinted = 1 << 20;

    // Trees with fewer steps are counted again at each occurrence.
    private const int FewSteps = 64;

    // An exception's inner ones do not change.
    private static readonly ConditionalWeakTable<Exception, Measure> Measured = [];

    /// <summary>Returns whether an inner exception and those in it are more than <see cref="MaxInner"/>.</summary>
    public static bool IsTooDeep(Exception? inner)
    {
        int depth = 0;
        for (; inner is not null && depth <= MaxInner; inner = inner.InnerException)
        {
            depth++;
        }

        return depth > MaxInner;
    }

    /// <summary>Returns whether an exception holds a list of others.</summary>
    public static bool HasSeveral(Exception exception) => SeveralOf(exception) is { Length: > 0 };

    /// <summary>Finds the fault in the tree of an exception that <see cref="HasSeveral"/>; null when there is none.</summary>
    public static string? Refusal(Exception exception)
    {
        long steps = 0;
        Measure measure = GetMeasure(exception, 0, ref steps);
        return measure.Depth > MaxInner + 1 ? $"it has more than {MaxInner} nested inner exceptions"
            : measure.Count > MaxPrinted ? $"more than {MaxPrinted} exceptions would be printed with it"
            : null;
    }

    private static Measure GetMeasure(Exception exception, int above, ref long steps)
    {
        if (Measured.TryGetValue(exception, out Measure? known))
        {
            return known;
        }

        int depth = 0;
        int deepest = 0;
        long count = 0;
        long before = steps;
        for (Exception? current = exception; current is not null; current = current.InnerException)
        {
            if (current != exception && Measured.TryGetValue(current, out known))
            {
                deepest = Math.Max(deepest, depth + known.Depth);
                count += known.Count;
                break;
            }

            depth++;
            count++;
            steps++;
            if (above + depth > MaxInner + 1 || count > MaxPrinted || steps > MaxPrinted
                || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
            {
                return above + depth > MaxInner + 1 || count + steps <= MaxPrinted ? Measure.TooDeep : Measure.TooMany;
            }

            Exception?[] several = SeveralOf(current) ?? [];
            for (int i = 0; i < several.Length; i++)
            {
                // The first one is the inner exception, which is checked next.
                if (several[i] is not { } inner || (i == 0 && ReferenceEquals(inner, current.InnerException)))
                {
                    continue;
                }

                Measure below = GetMeasure(inner, above + depth, ref steps);
                if (below.IsTooMuch)
                {
                    return below;
                }

                deepest = Math.Max(deepest, depth + below.Depth);
                count += below.Count;
            }
        }

        var measure = new Measure(Math.Max(depth, deepest), count);
        if (steps - before > FewSteps && !measure.IsTooMuch)
        {
            Measured.TryAdd(exception, measure);
        }

        return measure;
    }

    private static Exception?[]? SeveralOf(Exception exception) => exception switch
    {
        AggregateException several => ExceptionKind.ListOf(several),
        ReflectionTypeLoadException failed => failed.LoaderExceptions,
        _ => null,
    };

    private sealed record Measure(int Depth, long Count)
    {
        public static readonly Measure TooDeep = new(int.MaxValue, 0);

        public static readonly Measure TooMany = new(0, long.MaxValue);

        public bool IsTooMuch => Depth > MaxInner + 1 || Count > MaxPrinted;
    }
}
