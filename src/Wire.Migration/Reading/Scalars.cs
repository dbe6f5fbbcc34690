using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Drawing;
using System.Formats.Nrbf;
using System.Net;
using System.Net.Sockets;
using System.Numerics;
using System.Reflection;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Wire.Errors;
using Wire.Runtime;
using Wire.Surrogates;
using Wire.ValueSerializers.Scalars;

namespace Wire.Migration.Reading;

/// <summary>The types of .NET that are made of their parts: **the one table of how BinaryFormatter stored them**.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Scalars
{
    /// <summary>Finds the reader of such a type; null for others.</summary>
    public static ITypeReader? Find(Type type) =>
        Make((type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!) is { } make ? new Reader(type, make) : null;

    private static Func<GraphReader, Stored, object>? Make(string name) => name switch
    {
        "System.Object" => (_, _) => new object(),
        "System.EventArgs" => (_, _) => new EventArgs(),
        "System.ArraySegment`1" => MakeSegment,
        "System.Guid" => (_, stored) => MakeGuid(stored),
        "System.DateTimeOffset" => (_, stored) => stored["DateTime"] is DateTime utc && stored["OffsetMinutes"] is short minutes
            ? new DateTimeOffset(DateTime.SpecifyKind(utc, DateTimeKind.Utc)).ToOffset(TimeSpan.FromMinutes(minutes))
            : throw stored.Invalid("DateTime", "a time with an offset"),
        "System.Version" => (_, stored) => (stored.Int32("_Build"), stored.Int32("_Revision")) switch
        {
            (-1, -1) => new Version(stored.Int32("_Major"), stored.Int32("_Minor")),
            (var build, -1) => new Version(stored.Int32("_Major"), stored.Int32("_Minor"), build),
            var (build, revision) => new Version(stored.Int32("_Major"), stored.Int32("_Minor"), build, revision),
        },
        "System.Uri" => (_, stored) => stored.Text("AbsoluteUri") is { Length: > 0 } absolute
            ? new Uri(absolute, UriKind.Absolute)
            : new Uri(stored.Text("RelativeUri")!, UriKind.Relative),
        "System.Numerics.BigInteger" => (graph, stored) => MakeInteger(graph, stored),
        "System.Numerics.Complex" => (_, stored) => stored["m_real"] is double real && stored["m_imaginary"] is double imaginary
            ? new Complex(real, imaginary)
            : throw stored.Invalid("m_real", "a number"),
        "System.Text.StringBuilder" => (graph, stored) => MakeText(graph, stored),
        "System.Collections.BitArray" => (graph, stored) => MakeBits(graph, stored),
        "System.IO.MemoryStream" => (graph, stored) => MakeStream(graph, stored),
        "System.Net.IPAddress" => (graph, stored) => MakeAddress(graph, stored),
        "System.Security.Cryptography.X509Certificates.X509Certificate2" => (graph, stored) =>
            X509CertificateLoader.LoadCertificate((byte[])Arrays.Read(graph, stored["RawData"], typeof(byte))),
        "System.Drawing.Color" => (_, stored) => MakeColor(stored),
        "System.Data.DataTable" => (_, stored) => DataConversion.ToTable(TableOf(stored)),
        "System.Data.DataSet" => (_, stored) => DataConversion.ToSet(DataOf(stored)),
        _ => null,
    };

    private static TableParts TableOf(Stored stored)
    {
        (string schema, string changes) = DataOf(stored);
        return new(schema, changes, InheritsNamespace: false, IsNameless: false);
    }

    private static DataParts DataOf(Stored stored) => stored.Text("XmlSchema") is { } schema && stored.Text("XmlDiffGram") is { } changes
        ? new(schema, changes)
        : throw new WireFormatException(
            WireFormatError.InvalidValue,
            $"The {stored.Type} was written with SerializationFormat.Binary, and Wire.Migration reads what was written as XML. Read the "
            + "payload where BinaryFormatter still runs, set its RemotingFormat to SerializationFormat.Xml, and write it again.");

    private static object MakeSegment(GraphReader graph, Stored stored)
    {
        Type type = stored.Type;
        Type array = type.GetGenericArguments()[0].MakeArrayType();
        return graph.ReadMember(graph.Registry.Members.Add(type.NameAsOwner(), "Array"), stored["_array"], array) is { } whole
            ? Activator.CreateInstance(
                type, BindingFlags.DoNotWrapExceptions | BindingFlags.Instance | BindingFlags.Public | BindingFlags.CreateInstance, null,
                [whole, stored.Int32("_offset"), stored.Int32("_count")], null)!
            : Activator.CreateInstance(type)!;
    }

    private static Guid MakeGuid(Stored stored)
    {
        const string LastBytes = "defghijk";
        var bytes = new byte[LastBytes.Length];
        for (int i = 0; i < bytes.Length; i++)
        {
            string name = $"_{LastBytes[i]}";
            bytes[i] = stored[name] is byte value ? value : throw stored.Invalid(name, "a byte");
        }

        return stored["_b"] is short b && stored["_c"] is short c
            ? new Guid(stored.Int32("_a"), b, c, bytes)
            : throw stored.Invalid("_b", "a number");
    }

    // The magnitude in words from the lowest, or the number itself where there are none.
    private static BigInteger MakeInteger(GraphReader graph, Stored stored)
    {
        int sign = stored.Int32("_sign");
        if (stored["_bits"] is null)
        {
            return new BigInteger(sign);
        }

        var words = (uint[])Arrays.Read(graph, stored["_bits"], typeof(uint));
        byte[] bytes = new byte[words.Length * sizeof(uint)];
        Buffer.BlockCopy(words, 0, bytes, 0, bytes.Length);
        var magnitude = new BigInteger(bytes, isUnsigned: true);
        return sign < 0 ? -magnitude : magnitude;
    }

    private static StringBuilder MakeText(GraphReader graph, Stored stored)
    {
        string text = stored.Text("m_StringValue") ?? "";
        int most = stored.Int32("m_MaxCapacity");
        int capacity = stored.Int32("Capacity");
        if (capacity < text.Length)
        {
            throw stored.Invalid("Capacity", "one that holds the text");
        }

        graph.TakeElements(capacity, sizeof(char));
        return new StringBuilder(capacity, most).Append(text);
    }

    private static BitArray MakeBits(GraphReader graph, Stored stored)
    {
        int length = stored.Int32("m_length");
        var words = (int[])Arrays.Read(graph, stored["m_array"], typeof(int));
        return length >= 0 && length <= (long)words.Length * 32
            ? new BitArray(words) { Length = length }
            : throw stored.Invalid("m_length", "the number of its bits");
    }

    // The position and the length count from the beginning of the buffer, of which a stream over a part leaves some out.
    private static MemoryStream MakeStream(GraphReader graph, Stored stored)
    {
        byte[] buffer = (byte[])Arrays.Read(graph, stored["_buffer"], typeof(byte));
        int origin = stored.Int32("_origin");
        int position = stored.Int32("_position") - origin;
        int length = stored.Int32("_length") - origin;
        int capacity = stored.Int32("_capacity") - origin;
        if (!stored.Boolean("_isOpen"))
        {
            throw stored.Invalid("_isOpen", "true: a closed stream has nothing to read");
        }

        if (origin < 0 || position < 0 || length < 0 || length > capacity || (long)origin + capacity > buffer.Length)
        {
            throw stored.Invalid("_length", "within its buffer");
        }

        return MemoryStreamConversion.From(stored.Boolean("_expandable")
            ? new(buffer.AsMemory(origin, length), position, null)
            : new(
                buffer.AsMemory(origin, capacity), position, new(stored.Boolean("_exposable"), stored.Boolean("_writable"), length)));
    }

    private static IPAddress MakeAddress(GraphReader graph, Stored stored)
    {
        int family = stored.Record("m_Family") is { } value ? new Stored(value, typeof(AddressFamily)).Int32("value__") : 0;
        if (family == (int)AddressFamily.InterNetwork && stored["m_Address"] is long number)
        {
            return new IPAddress(number);
        }

        var words = (ushort[])Arrays.Read(graph, stored["m_Numbers"], typeof(ushort));
        return family == (int)AddressFamily.InterNetworkV6 && stored["m_ScopeId"] is long scope
            ? new IPAddress([.. words.SelectMany(word => new[] { (byte)(word >> 8), (byte)word })], scope)
            : throw stored.Invalid("m_Family", "a family of addresses of the Internet");
    }

    // A state says which of the parts count.
    private static Color MakeColor(Stored stored)
    {
        const short IsKnown = 1;
        const short HasValue = 2;
        const short HasName = 8;
        return stored["state"] switch
        {
            (short)0 => Color.Empty,
            IsKnown when stored["knownColor"] is short known && Enum.IsDefined((KnownColor)known) =>
                Color.FromKnownColor((KnownColor)known),
            HasValue when stored["value"] is long value => Color.FromArgb(unchecked((int)value)),
            HasName => Color.FromName(stored.Text("name") ?? ""),
            _ => throw stored.Invalid("state", "one of a colour"),
        };
    }

    private sealed class Reader(Type type, Func<GraphReader, Stored, object> make) : ITypeReader
    {
        public object Read(GraphReader graph, ClassRecord record)
        {
            graph.TakeObject(type);
            try
            {
                return make(graph, new Stored(record, type));
            }
            catch (Exception e) when (e is ArgumentException or FormatException and not WireFormatException or InvalidCastException
                or CryptographicException)
            {
                throw ThrowHelper.Invalid(type.ToString(), e);
            }
        }
    }
}
