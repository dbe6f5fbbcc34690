using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;
using Wire.Values;

namespace Wire.Copying;

/// <summary>Copies the values of one class or value type; compiled for one type.</summary>
internal delegate T ObjectCopier<T>(ref GraphCopier copier, T value);

/// <summary>
/// The state of one copy of a graph, made value by value without bytes in between: how deep it is, and, where references are preserved, the
/// copies made so far.
/// </summary>
/// <remarks>
/// The code for classes and unions is compiled like that for reading. What cannot be copied in this way throws <see
/// cref="CopyGivenUpException"/>, and has changed nothing: then the graph is written and read.
/// </remarks>
internal ref struct GraphCopier(Serializer serializer, CopiedObjects? objects)
{
    // The path is known so far; few graphs are deeper.
    private const int KnownSteps = 24;

    // The stack is checked at each of so many levels: a level takes a few hundred bytes.
    private const int LevelsPerCheck = 16;

    /// <summary>The step from the object that is being copied to the current value, as in a <see cref="GraphPath"/>.</summary>
    public int Member = GraphPath.Root;

    private readonly int _maxDepth = serializer.MaxDepth;
    private int _depth;
    private Steps _steps;

    public readonly TypeRegistry Registry => serializer.Registry;

    /// <summary>Gets whether an object that is reached twice has one copy.</summary>
    public readonly bool IsTracking => objects is not null;

    /// <summary>Enters an object.</summary>
    /// <returns>The step to it, for <see cref="Exit"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Enter()
    {
        int member = Member;
        int depth = _depth;
        if (depth < KnownSteps)
        {
            _steps[depth] = member;
        }

        Member = GraphPath.Root;
        _depth = ++depth;
        if (depth % LevelsPerCheck == 0 || depth > _maxDepth)
        {
            CheckDepth();
        }

        return member;
    }

    /// <summary>Leaves an object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Exit(int member)
    {
        Member = member;
        _depth--;
    }

    /// <summary>Describes the path to the current value, for the exceptions of user code.</summary>
    public string DescribePath()
    {
        int known = Math.Min(_depth, KnownSteps);
        return GraphPath.Describe([.. ((ReadOnlySpan<int>)_steps)[..known], Member], _depth - known, Registry);
    }

    /// <summary>Registers the copy of the object that has just begun, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Track(object copy) => objects?.Track(copy);

    /// <summary>Copies a root, which is not null.</summary>
    public T CopyRoot<T>(T value)
    {
        if (typeof(T).IsValueType)
        {
            return Registry.Slot<T>().Copy(ref this, value);
        }

        object copy = CopyObject(Registry.EntryFor(value!), value!);
        return TypeIdentity.Get(copy) == TypeIdentity.Get(value!) ? Unsafe.As<object, T>(ref copy) : (T)copy;
    }

    /// <summary>Copies an object by the entry of its type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public object CopyObject(TypeEntry entry, object value)
    {
        if (objects is null || !entry.IsTracked)
        {
            int member = Enter();
            object copy = entry.Serializer.CopyObject(ref this, value);
            Exit(member);
            return copy;
        }

        return CopyTracked(objects, entry.Serializer, value);
    }

    /// <summary>Copies an object of no type of the program, where an object that is reached twice has one copy.</summary>
    public object CopyTracked(ValueSerializer serializer, object value) => CopyTracked(objects!, serializer, value);

    /// <summary>Copies a comparer: those of .NET, which have no state that changes, are shared.</summary>
    public object? CopyComparer(object? comparer)
    {
        if (comparer is null || SharedComparers.Contains(comparer))
        {
            return comparer;
        }

        if (comparer is ComparerPair pair)
        {
            object? keys = CopyComparer(pair.Keys), values = CopyComparer(pair.Values);
            return ReferenceEquals(keys, pair.Keys) && ReferenceEquals(values, pair.Values) ? pair : new ComparerPair(keys, values);
        }

        TypeEntry entry = Registry.Entry(comparer.GetType());
        object copy = entry.Type == comparer.GetType() ? CopyObject(entry, comparer) : throw new CopyGivenUpException();
        CheckComplete();
        return copy;
    }

    /// <summary>
    /// Refuses to compare or convert copies that may not be complete yet: any that belong to a cycle through an object around them.
    /// </summary>
    public readonly void CheckComplete()
    {
        if (objects is { HasCycle: true })
        {
            throw new CopyGivenUpException();
        }
    }

    /// <summary>Returns whether user code has thrown an exception, and then adds the location to it.</summary>
    public bool IsOfUser(Exception exception)
    {
        if (exception is CopyGivenUpException || !UserCode.IsBehind(exception))
        {
            return false;
        }

        string path = DescribePath();
        ErrorLocation.Add(exception, () => path, null);
        return true;
    }

    private object CopyTracked(CopiedObjects tracked, ValueSerializer serializer, object value)
    {
        if (tracked.TryFind(value, out object? copy, out int around))
        {
            // An object that is made of its parts does not exist for them.
            return copy ?? throw new CopyGivenUpException();
        }

        int number = tracked.Current;
        int member = Enter();
        copy = serializer.CopyObject(ref this, value);
        Exit(member);
        tracked.Complete(number, around, copy);
        return copy;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void CheckDepth()
    {
        if (_depth > _maxDepth || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            throw new CopyGivenUpException();
        }
    }

    [InlineArray(KnownSteps)]
    private struct Steps
    {
        private int _step;
    }
}
