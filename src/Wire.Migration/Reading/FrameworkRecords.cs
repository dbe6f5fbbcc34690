using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection;
using System.Reflection.Metadata;
using Wire.Errors;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire.Migration.Reading;

/// <summary>The records of internal classes of .NET: they stand for other objects, and no type is looked for.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class FrameworkRecords
{
    private const int DBNullCode = 2;
    private const int MissingCode = 3;

    // .NET searches such a list for every key.
    private const int MaxData = 1000;

    /// <summary>Reads one; false for records of other types.</summary>
    /// <exception cref="TypeRefusedException">It is that of a delegate.</exception>
    public static bool TryRead(GraphReader graph, ClassRecord record, [NotNullWhen(true)] out object? value)
    {
        value = null;
        TypeName name = record.TypeName;
        if (name.AssemblyName?.Name is { } assembly && !FrameworkTypes.IsHome(assembly))
        {
            return false;
        }

        string full = name.IsConstructedGenericType ? name.GetGenericTypeDefinition().FullName : name.FullName;
        try
        {
            value = full switch
            {
                "System.UnitySerializationHolder" => Only(new Stored(record, typeof(object))),
                "System.Collections.ListDictionaryInternal" => Data(graph, new Stored(record, typeof(object))),
                "System.DelegateSerializationHolder" => throw new TypeRefusedException(
                    full,
                    "it stands for a delegate, which is code, and a payload must not choose code.",
                    "BinaryFormatter wrote events too: they should have had [field: NonSerialized]. Read the payload where BinaryFormatter "
                    + "still runs, set the member to null, and write the object with Wire there."),
                _ => Comparers.Find(graph, record, full),
            };
        }
        catch (ArgumentException e)
        {
            throw ThrowHelper.Invalid(full, e);
        }

        return value is not null;
    }

    private static object Only(Stored stored) => stored.Int32("UnityType") switch
    {
        DBNullCode => DBNull.Value,
        MissingCode => Missing.Value,
        var code => throw new WireFormatException(
            WireFormatError.InvalidValue,
            $"The payload has a type, an assembly or a module (UnityType {code}), which Wire.Migration does not read. Read the payload "
            + "where BinaryFormatter still runs, and write its name as text."),
    };

    private static IDictionary Data(GraphReader graph, Stored stored)
    {
        var pairs = (KeyValuePair<object, object?>[])Pairs.OfNodes(graph, stored, typeof(KeyValuePair<object, object?>));
        if (pairs.Length > MaxData)
        {
            ThrowHelper.InvalidValue(nameof(Exception), $"its data have more than {MaxData} entries");
        }

        IDictionary data = new FormatException().Data;
        foreach ((object key, object? value) in pairs)
        {
            ValueSerializers.Collections.KeyStructure.Check(key, MaxData);
            data.Add(key, value);
        }

        return data;
    }
}
