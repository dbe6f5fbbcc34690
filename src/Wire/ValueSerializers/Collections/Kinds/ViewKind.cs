using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Compilation;
using Wire.Runtime;

namespace Wire.ValueSerializers.Collections.Kinds;

/// <summary>
/// A view that a collection without type arguments makes of another one, such as a synchronized one: what it shows is an object of its own,
/// which others may hold too. The classes are internal to .NET; each has one field for that, and one constructor, which takes it.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2090", Justification = TrimmingAdvice.Inside)]
internal readonly struct ViewKind<TView, TInner> : IWrapperKind<TView, TInner>
    where TView : class
    where TInner : class
{
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly FieldInfo Shown = Views.FieldOf(typeof(TView))!;
    private static readonly ConstructorInfo Constructor = typeof(TView).GetConstructor(Any, [typeof(TInner)])!;

    // Some have the empty array of their base class, too.
    public static int Overhead =>
        typeof(TInner) == typeof(Queue) ? UntypedQueueKind.Overhead : typeof(TInner) == typeof(Stack) ? UntypedStackKind.Overhead : 0;

    // Its lock is that of what it shows.
    public static bool NeedsInner => true;

    public static TInner Unwrap(TView wrapper) => (TInner)Shown.GetValue(wrapper)!;

    public static void Construct(TView target, TInner inner) =>
        Constructor.Invoke(target, BindingFlags.DoNotWrapExceptions, null, [inner], null);

    public static object? Within(object inner) => Views.GetInner(inner);
}

/// <summary>The collections that views show.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = TrimmingAdvice.Inside)]
internal static class Views
{
    /// <summary>Finds the field with what a view shows; null where the type is not that of a view.</summary>
    public static FieldInfo? FieldOf(Type type) =>
        type.IsNestedPrivate && FrameworkAssemblies.Contains(type.Assembly)
            ? Array.Find(
                type.GetFields(MemberFinder.DeclaredInstance),
                field => field.FieldType != typeof(object) && field.FieldType.IsAssignableFrom(type))
            : null;

    /// <summary>Finds what is under a collection, as <see cref="IWrapperKind{TWrapper, TInner}.Within"/> says.</summary>
    public static object? GetInner(object collection) =>
        collection is CollectionBase list ? CollectionBaseKind.Unwrap(list) ?? Wrapping.NotRead
        : FieldOf(collection.GetType()) is { } shown ? shown.GetValue(collection) ?? Wrapping.NotRead
        : null;
}
