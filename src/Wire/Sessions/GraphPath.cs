using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>
/// The way from the root to the current value: its length is the depth, its steps are the path in error messages. It also watches the
/// stack, so that a deep graph continues on a fresh one instead of overflowing.
/// </summary>
internal sealed class GraphPath(int maxDepth, Func<GraphPath, int, Exception> tooDeep)
{
    /// <summary>The step that stands for the root itself.</summary>
    public const int Root = int.MinValue;

    // .NET calls an execution stack sufficient when 128 KiB are left on a 64-bit system; half of that is ours between two checks.
    private const int CheckedStack = 1 << 16;

    private const int ShownSteps = 8;

    private int[] _steps = [Root, .. new int[15]];
    private int _depth;
    private nuint _stackLimit = nuint.MaxValue;

    /// <summary>Gets the number of steps that lead to the current value.</summary>
    public int Depth => _depth;

    /// <summary>Starts a payload.</summary>
    /// <param name="sameThread">Whether all payloads are started on one thread.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Start(bool sameThread)
    {
        _depth = 0;
        if (!sameThread)
        {
            // Cheaper than asking which thread it is: the stack is asked for when the payload goes down a level.
            _stackLimit = nuint.MaxValue;
        }
    }

    /// <summary>Goes one level down; false when the level needs a fresh stack.</summary>
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

    /// <summary>Goes down to the root: the first step, which needs neither a limit nor a stack.</summary>
    public void EnterRoot()
    {
        // A root of a value type may have left a step of its own.
        _steps[0] = Root;
        _depth = 1;
    }

    /// <summary>Takes another step instead of the last one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void MoveTo(int step) => _steps[_depth - 1] = step;

    /// <summary>Goes one level up and returns the step that led down.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Exit() => _steps[--_depth];

    /// <summary>Runs the action on a thread with a stack of its own, while this one waits. Exceptions come through.</summary>
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

    /// <summary>The path down to <paramref name="last"/>, such as <c>Lines[2].Price</c>; the middle of a long one is left out.</summary>
    public string Describe(int last, TypeRegistry registry)
    {
        // The steps into a root have no name.
        int[] steps = [.. _steps.Take(_depth).Append(last).Where(step => step != Root)];
        var text = new StringBuilder();
        for (int i = 0; i < steps.Length; i++)
        {
            if (steps.Length > 2 * ShownSteps && i == ShownSteps)
            {
                i = steps.Length - ShownSteps;
                text.Append(CultureInfo.InvariantCulture, $" ... {i - ShownSteps} more ... ");
            }

            if (steps[i] < 0)
            {
                text.Append('[').Append(~steps[i]).Append(']');
            }
            else
            {
                text.Append(text.Length == 0 || text[^1] == ' ' ? "" : ".").Append(registry.Member(steps[i]).Name);
            }
        }

        return text.ToString();
    }

    /// <summary>The type that declares the last member on the path down to <paramref name="last"/>; null where there is none.</summary>
    public string? LastOwner(int last, TypeRegistry registry)
    {
        foreach (int step in _steps.Take(_depth).Append(last).Reverse())
        {
            if (step >= 0)
            {
                return registry.Member(step).Owner;
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

    // Out of line: asked only when the stack is lower than it has been known to be good.
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
        return _steps;
    }
}
