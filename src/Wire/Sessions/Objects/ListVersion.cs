using System.Runtime.CompilerServices;

namespace Wire.Sessions.Objects;

/// <summary>The number of changes that a linked list has seen, by which its enumerators know that it has changed.</summary>
internal static class ListVersion
{
    public static int Of<T>(LinkedList<T> list) => FieldOf(list);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "version")]
    private static extern ref int FieldOf<T>(LinkedList<T> list);
}
