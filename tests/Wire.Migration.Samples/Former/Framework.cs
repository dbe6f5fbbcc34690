using System.Collections;
using System.Runtime.Serialization;

// These fields are read by BinaryFormatter alone, and have the names that classes of .NET Framework had.
#pragma warning disable IDE0052, IDE1006, CS0414, CS0169, CA2229, CA2237, SYSLIB0050

namespace Wire.Migration.Samples.Former;

/// <summary>The name that BinaryFormatter writes for a class: one of .NET Framework that it does not write today.</summary>
/// <param name="assembly">The assembly.</param>
/// <param name="name">The full name.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Enum)]
public sealed class WrittenAsAttribute(string assembly, string name) : Attribute
{
    public string Assembly => assembly;

    public string Name => name;
}

/// <summary>
/// Classes with the fields of those of .NET Framework 4.8, by its published source: what BinaryFormatter wrote there, it writes of these.
/// </summary>
public static class Framework
{
    public const string CoreAssembly = "mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089";

    public const string SystemAssembly = "System, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089";

    public static object[] All =>
    [
        new MemoryStream([0, 1, 2, 3, 0], position: 2, length: 4),
        new MemoryStream([0, 1, 2, 3, 0], origin: 1, position: 3, length: 4, isFixed: true),
        new NameValues(null, ["a", "b", null], [new ArrayList { "1", "2" }, null, new ArrayList { "3" }]),
        new NameValues(StringComparer.Ordinal, ["a", "A"], [new ArrayList { "1" }, new ArrayList { "2" }]),
        new Table<string, Key>(StringComparer.OrdinalIgnoreCase, [new("a", new Key(1))]),
        new Address(2, 0x0100007F, new ushort[8], 0), new Address(23, 0, [0x2001, 0x0DB8, 0, 0, 0, 0, 0, 1], 7),
        new Certificate(Convert.FromBase64String(Certificate.Raw)),
    ];
}

[Serializable]
public abstract class MarshalByRefObject
{
    private readonly object? __identity;
}

[Serializable]
[WrittenAs(Framework.CoreAssembly, "System.IO.MemoryStream")]
public sealed class MemoryStream(byte[] buffer, int position, int length, int origin = 0, bool isFixed = false) : MarshalByRefObject
{
    private readonly byte[] _buffer = buffer;
    private readonly int _origin = origin;
    private readonly int _position = position;
    private readonly int _length = length;
    private readonly int _capacity = buffer.Length;
    private readonly bool _expandable = !isFixed;
    private readonly bool _writable = true;
    private readonly bool _exposable = !isFixed;
    private readonly bool _isOpen = true;
}

[Serializable]
[WrittenAs(Framework.SystemAssembly, "System.Collections.Specialized.NameValueCollection")]
public sealed class NameValues(IEqualityComparer? comparer, string?[] names, object?[] values)
    : ISerializable
{
    public void GetObjectData(SerializationInfo info, StreamingContext context)
    {
        info.AddValue("ReadOnly", false);
        if (comparer is null)
        {
            // What stood for the default comparer, as in .NET Framework 1.
            info.AddValue("HashProvider", new HashCodes(), typeof(object));
            info.AddValue("Comparer", new Comparer(), typeof(object));
        }
        else
        {
            info.AddValue("KeyComparer", comparer, typeof(IEqualityComparer));
        }

        info.AddValue("Count", names.Length);
        info.AddValue("Keys", names, typeof(string[]));
        info.AddValue("Values", values, typeof(object[]));
        info.AddValue("Version", 3);
    }
}

[Serializable]
[WrittenAs(Framework.CoreAssembly, "System.Collections.CaseInsensitiveHashCodeProvider")]
public sealed class HashCodes
{
    private readonly object? m_text;
}

[Serializable]
[WrittenAs(Framework.CoreAssembly, "System.Collections.CaseInsensitiveComparer")]
public sealed class Comparer
{
    private readonly Culture m_compareInfo = new();
}

[Serializable]
[WrittenAs(Framework.CoreAssembly, "System.Globalization.CompareInfo")]
public sealed class Culture
{
    private readonly string m_name = "";
    private readonly int win32LCID;
    private readonly int culture = 127;
}

[Serializable]
[WrittenAs(Framework.CoreAssembly, "System.Collections.Concurrent.ConcurrentDictionary`2")]
public sealed class Table<TKey, TValue>(IEqualityComparer<TKey> comparer, KeyValuePair<TKey, TValue>[] pairs)
{
    private readonly IEqualityComparer<TKey> m_comparer = comparer;
    private readonly KeyValuePair<TKey, TValue>[] m_serializationArray = pairs;
    private readonly int m_serializationConcurrencyLevel = 4;
    private readonly int m_serializationCapacity = 31;
}

[WrittenAs(Framework.SystemAssembly, "System.Net.Sockets.AddressFamily")]
public enum Family
{
    None = 0,
    InterNetwork = 2,
    InterNetworkV6 = 23,
}

[Serializable]
[WrittenAs(Framework.SystemAssembly, "System.Net.IPAddress")]
public sealed class Address(int family, long number, ushort[] numbers, long scope)
{
    private readonly long m_Address = number;
    private readonly Family m_Family = (Family)family;
    private readonly ushort[] m_Numbers = numbers;
    private readonly long m_ScopeId = scope;
    private readonly int m_HashCode = 5;
}

[Serializable]
[WrittenAs(Framework.SystemAssembly, "System.Security.Cryptography.X509Certificates.X509Certificate2")]
public sealed class Certificate(byte[] raw) : ISerializable
{
    /// <summary>A certificate of nobody, for these tests.</summary>
    public const string Raw =
        "MIIBdTCCARugAwIBAgIUBbnlq/YBKSEBYIKohEp1+k8BeJQwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEd2lyZTAgFw0yNjExMjYwNDM5MTFaGA"
        + "8yMTI2MTEwMjA0MzkxMVowDzENMAsGA1UEAwwEd2lyZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPLSLF3aFpqATkBk6g47k2G32pdq2jMD"
        + "kQLNKgSzPmFh0NDFu2NQXcH6gSy4xFeJI7FiLhF+rGaY2wDup3NNjw2jUzBRMB0GA1UdDgQWBBQ/w/9dTax1buVsrfNJ/5F2WHqdBTAfBgNVHS"
        + "MEGDAWgBQ/w/9dTax1buVsrfNJ/5F2WHqdBTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCM+/YWQ6DG+K/RAGtPRp4renDs"
        + "7KQA2RD64VSPAnOL0QIgF00cq2lLgY7MBrtD7eKeNurNyRQ62T9f9EQJATYtpck=";

    public void GetObjectData(SerializationInfo info, StreamingContext context) =>
        info.AddValue("RawData", raw, typeof(byte[]));
}
