using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Types;
using Wire.Values;

namespace Wire.Sessions;

/// <summary>
/// The path from the root to the current value: its length is the depth, and error messages show its steps. It also checks the stack, so
/// that a deep graph continues on a fresh one instead of overflowing.
/// </summary>
internal sealed class GraphPath(int maxDepth, Func<GraphPath, int, Exception> tooDeep)
{
    /// <summary>The step that stands for the root itself.</summary>
    public const int Root = int.MinValue;

    // .NET calls an execution stack sufficient when 128 KiB are left on a 64-bit system; half of that may be used between two checks.
    private const int CheckedStack = 1 << 16;

    // Flat code takes some hundred bytes of stack for a level that is a collection of value types, and does not check it.
    private const int UncheckedLevels = 64;

    private const int ShownSteps = 8;

    private int[] _steps = [Root, .. new int[15]];
    private int _depth;

    // The number of levels for which there are steps, within the limit and what the stack is good for.
    private int _room = Math.Min(16, maxDepth);
    private nuint _stackLimit = nuint.MaxValue;

    /// <summary>Gets or sets the path to the value that is read, where that is a part of the payload; empty for the whole.</summary>
    public string Prefix { get; set; } = "";

    /// <summary>Gets the number of steps that lead to the current value.</summary>
    public int Depth => _depth;

    /// <summary>Starts a payload.</summary>
    /// <param name="sameThread">True if all payloads are started on one thread.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Start(bool sameThread)
    {
        _depth = 0;
        if (!sameThread)
        {
            // Cheaper than identifying the thread: the stack is checked when the payload enters a level.
            _stackLimit = nuint.MaxValue;
        }
    }

    /// <summary>Enters a level; false when it needs a fresh stack.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Enter(int step)
    {
        int depth = _depth;
        int[] steps = _steps;
        if ((uint)depth >= (uint)steps.Length || depth >= maxDepth)
        {
            steps = Grow(step);
        }

        steps[depth] = step;
        _depth = depth + 1;
        return StackPointer() > _stackLimit || HasStack();
    }

    /// <summary>Gets whether a level may be entered without a check of the limit or the stack.</summary>
    public bool HasRoom
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _depth < _room;
    }

    /// <summary>Enters a level that <see cref="HasRoom"/>, in code that uses no more stack for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Step(int step) => _steps[_depth++] = step;

    /// <summary>Leaves a level.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void StepBack() => _depth--;

    /// <summary>Enters the root: the first step, which needs no check of limit or stack.</summary>
    public void EnterRoot()
    {
        // A root of a value type may have left its own step.
        _steps[0] = Root;
        _depth = 1;
    }

    /// <summary>Replaces the last step.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void MoveTo(int step) => _steps[_depth - 1] = step;

    /// <summary>Leaves a level and returns the step that entered it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Exit() => _steps[--_depth];

    /// <summary>Runs the action on a separate thread while this one waits. Exceptions are rethrown.</summary>
    public void RunOnFreshStack(ThreadStart action)
    {
        nuint limit = _stackLimit;
        try
        {
            FreshStack.Run(() =>
            {
                _stackLimit = nuint.MaxValue;
                action();
            });
        }
        finally
        {
            _stackLimit = limit;
        }
    }

    /// <summary>
    /// Returns the path to <paramref name="last"/>, such as <c>Lines[2].Price</c>; long paths are shortened in the middle.
    /// </summary>
    public string Describe(int last, TypeRegistry registry)
    {
        string path = Describe([.. _steps.Take(_depth), last], 0, registry);
        return Prefix.Length == 0 ? path : path.Length == 0 || path[0] == '[' ? Prefix + path : $"{Prefix}.{path}";
    }

    /// <summary>Returns the text of a path.</summary>
    /// <param name="all">The steps, of which the last leads to the current value.</param>
    /// <param name="unknown">The number of steps before the last one that are not known.</param>
    /// <param name="registry">The registry, which has the names of members.</param>
    public static string Describe(int[] all, int unknown, TypeRegistry registry)
    {
        // The steps into a root have no name.
        int[] steps = [.. all.Where(step => step != Root)];
        var text = new StringBuilder();
        for (int i = 0; i < steps.Length; i++)
        {
            if ((unknown > 0 || steps.Length > 2 * ShownSteps) && i == ShownSteps)
            {
                i = steps.Length - (unknown > 0 ? 1 : ShownSteps);
                text.Append(CultureInfo.InvariantCulture, $" ... {i - ShownSteps + unknown} more ... ");
            }

            if (steps[i] < 0)
            {
                text.Append('[').Append(~steps[i]).Append(']');
            }
            else
            {
                // The field of a union has its case in front.
                foreach (string part in registry.Members[steps[i]].Name.Split('.'))
                {
                    PathStep.AppendName(text, part);
                }
            }
        }

        return text.ToString();
    }

    /// <summary>Returns the type that declares the last member on the path to <paramref name="last"/>; null where there is none.</summary>
    public string? LastOwner(int last, TypeRegistry registry)
    {
        foreach (int step in _steps.Take(_depth).Append(last).Reverse())
        {
            if (step >= 0)
            {
                return registry.Members[step].Owner;
            }
        }

        return null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe nuint StackPointer()
    {
        byte here;
        return (nuint)(&here);
    }

    // Out of line: called only below the depth of stack that was last checked.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool HasStack()
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            return false;
        }

        _stackLimit = StackPointer() - CheckedStack;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int[] Grow(int step)
    {
        if (_depth >= maxDepth)
        {
            throw tooDeep(this, step);
        }

        Array.Resize(ref _steps, _steps.Length * 2);
        _room = Math.Min(Math.Min(_steps.Length, UncheckedLevels), maxDepth);
        return _steps;
    }
}
