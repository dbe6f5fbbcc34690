using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.ValueSerializers.Collections.Kinds;

/// <summary>
/// The list inside, its permissions, and the element that is still new. Event handlers are not written; the list itself subscribes to its
/// elements again.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2091", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
internal readonly struct BindingListKind<T> : IWrapperKind<BindingList<T>, (IList<T> Items, BindingListFlags Flags, int NewIndex)>
{
    // The delegate, and its slot in an element's invocation list.
    private const int PerListener = 128;

    private const BindingListFlags All =
        BindingListFlags.Edit | BindingListFlags.Remove | BindingListFlags.New | BindingListFlags.NewIsSet | BindingListFlags.Events;

    private static bool Listens => typeof(INotifyPropertyChanged).IsAssignableFrom(typeof(T));

    public static (IList<T> Items, BindingListFlags Flags, int NewIndex) Empty =>
        ([], BindingListFlags.Edit | BindingListFlags.Remove | BindingListFlags.Events, -1);

    public static object? Inside((IList<T> Items, BindingListFlags Flags, int NewIndex) inner) => inner.Items;

    public static object? Within(object inner) => ListsWithin.GetInner<T>(inner);

    public static (IList<T> Items, BindingListFlags Flags, int NewIndex) Unwrap(BindingList<T> wrapper)
    {
        BindingListFlags flags = (AllowEdit(wrapper) ? BindingListFlags.Edit : 0)
            | (AllowRemove(wrapper) ? BindingListFlags.Remove : 0)
            | (RaiseEvents(wrapper) ? BindingListFlags.Events : 0);
        if (IsNewSet(wrapper))
        {
            flags |= BindingListFlags.NewIsSet | (AllowNew(wrapper) ? BindingListFlags.New : 0);
        }

        return (CollectionKind<T>.Unwrap(wrapper), flags, NewIndex(wrapper));
    }

    public static void Construct(BindingList<T> target, (IList<T> Items, BindingListFlags Flags, int NewIndex) inner)
    {
        if (inner.Items is null || (inner.Flags & ~All) != 0 || inner.NewIndex < -1)
        {
            ThrowHelper.InvalidValue(nameof(BindingList<>), "it has no list, or its flags are not valid");
        }

        // Over an empty list first: incomplete elements must not be subscribed to.
        Constructor(target);
        CollectionKind<T>.Construct(target, inner.Items!);
        AllowEdit(target) = inner.Flags.HasFlag(BindingListFlags.Edit);
        AllowRemove(target) = inner.Flags.HasFlag(BindingListFlags.Remove);
        RaiseEvents(target) = inner.Flags.HasFlag(BindingListFlags.Events);
        NewIndex(target) = inner.NewIndex;
        if (inner.Flags.HasFlag(BindingListFlags.NewIsSet))
        {
            IsNewSet(target) = true;
            AllowNew(target) = inner.Flags.HasFlag(BindingListFlags.New);
        }
    }

    // Several lists may wrap one, and each subscribes to all of its elements.
    public static long OverheadOf(BindingList<T> wrapper) =>
        Listens && CollectionKind<T>.Unwrap(wrapper) is { } items ? (long)PerListener * items.Count : 0;

    public static bool NeedsSession => true;

    public static void Finish(DeserializerSession session, BindingList<T> target)
    {
        if (Listens)
        {
            ListenLater(session, target);
        }
    }

    private static void ListenLater(DeserializerSession session, BindingList<T> target) => session.WhenComplete(() =>
    {
        session.Costs.Charge(OverheadOf(target));
        foreach (T item in CollectionKind<T>.Unwrap(target))
        {
            Listen(target, item);
        }
    });

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(BindingList<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "HookPropertyChanged")]
    private static extern void Listen(BindingList<T> target, T item);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "allowEdit")]
    private static extern ref bool AllowEdit(BindingList<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "allowRemove")]
    private static extern ref bool AllowRemove(BindingList<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "allowNew")]
    private static extern ref bool AllowNew(BindingList<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "userSetAllowNew")]
    private static extern ref bool IsNewSet(BindingList<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "raiseListChangedEvents")]
    private static extern ref bool RaiseEvents(BindingList<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "addNewPos")]
    private static extern ref int NewIndex(BindingList<T> target);
}

/// <summary>The permissions of a BindingList.</summary>
[Flags]
internal enum BindingListFlags : byte
{
    /// <summary>Elements may be edited.</summary>
    Edit = 1,

    /// <summary>Elements may be removed.</summary>
    Remove = 2,

    /// <summary>New elements may be added; only with <see cref="NewIsSet"/>.</summary>
    New = 4,

    /// <summary>The program has set AllowNew; otherwise the type of the elements decides.</summary>
    NewIsSet = 8,

    /// <summary>Changes are announced.</summary>
    Events = 16,
}
