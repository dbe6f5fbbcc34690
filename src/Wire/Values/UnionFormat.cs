using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;

namespace Wire.Values;

/// <summary>The number of a union's case in the writer's schema, followed by the fields of that case (docs/format.md, clause 6).</summary>
internal static class UnionFormat
{
    /// <summary>Reads the number of a case, which is less than the count of cases.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadCase(ref WireReader reader, int count)
    {
        uint number = reader.ReadVarUInt32();
        if (number >= (uint)count)
        {
            ThrowHelper.NoSuchCase(number, count);
        }

        return number;
    }

    /// <summary>Reports a value of a case that the reader's type does not have.</summary>
    [DoesNotReturn]
    public static void UnknownCase(string name, Type type) => ThrowHelper.Format(
        WireFormatError.SchemaMismatch,
        $"The payload holds the case '{name}' of {type}, which this program's type does not have. If it was renamed, give the new case " +
        $"[WireName(\"{name}\")].");

    /// <summary>Reports a value of a case that is null in this program.</summary>
    [DoesNotReturn]
    public static void NullCase(string name, Type type) => ThrowHelper.Format(
        WireFormatError.SchemaMismatch,
        $"The payload holds the case '{name}' of {type} with a value, but this program represents that case by null.");
}
