using System.Collections.Specialized;
using System.Diagnostics;
using System.Globalization;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text.Json;
using System.Xml.Linq;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// Types of .NET that are written as a number, a text or bytes are none of these: they are not read as each other, whoever reads.
/// </summary>
public sealed class StandsForAnotherTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    private enum Kind
    {
        None,
        First,
    }

    public static TheoryData<bool, bool> Configurations => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_number_is_not_an_index(bool references, bool dynamicCode)
    {
        var options = new SerializerOptions { PreserveObjectReferences = references, DynamicCode = dynamicCode };
        BothRefuse(options, -3, ^2);
        BothRefuse(options, (byte)7, new Index(7));
        BothRefuse(options, 7L, new Index(7));
        BothRefuse(options, 7.0, new Index(7));
        BothRefuse(options, Kind.First, new Index(1));
        BothRefuse(options, DayOfWeek.Monday, new Index(1));
        BothRefuse<int?, Index?>(options, -3, ^2);
        BothRefuse(options, new[] { -3 }, new[] { ^2 });
        BothRefuse(options, new List<int> { -3 }, new List<Index> { ^2 });
        BothRefuse(options, new Dictionary<int, int> { [1] = -3 }, new Dictionary<int, Index> { [1] = ^2 });
        BothRefuse(options, (1, -3), ((Index)1, ^2));
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Neither_are_bits_texts_and_bytes_what_they_stand_for(bool references, bool dynamicCode)
    {
        var options = new SerializerOptions { PreserveObjectReferences = references, DynamicCode = dynamicCode };
        BothRefuse(options, -3, new BitVector32(-3));
        BothRefuse(options, Index.FromStart(3), new BitVector32(3));
        BothRefuse(options, "SHA256", HashAlgorithmName.SHA256);
        BothRefuse(options, "7", JsonDocument.Parse("7").RootElement);
        BothRefuse(options, HashAlgorithmName.SHA256, JsonDocument.Parse("7").RootElement);
        BothRefuse<ReadOnlyMemory<byte>, ActivityTraceId>(options, new byte[16], ActivityTraceId.CreateRandom());
        BothRefuse(options, new byte[8], ActivitySpanId.CreateRandom());
        BothRefuse(options, default(ActivityTraceId), default(ActivitySpanId));
        BothRefuse(options, true, new CancellationToken(true));
        BothRefuse(options, default(ValueTuple), new CancellationToken(true));
        BothRefuse(options, CultureInfo.GetCultureInfo("de-CH"), new HttpMethod("de-CH"));
        BothRefuse<XName, XNamespace>(options, "a", "a");
        BothRefuse(options, EventArgs.Empty, new Lazy<bool>(true));
    }

    private static void BothRefuse<TOne, TOther>(SerializerOptions options, TOne one, TOther other)
    {
        Refused<TOne, TOther>(options, one);
        Refused<TOther, TOne>(options, other);
    }

    private static void Refused<TOld, TNew>(SerializerOptions options, TOld value)
    {
        var writer = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Holder<TOld>>("Holder") });
        var reader = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Holder<TNew>>("Holder") });
        byte[] bytes = writer.Serialize(new Holder<TOld> { Value = value });
        for (int i = 0; i < Reads; i++)
        {
            IsMismatch(() => reader.Deserialize<Holder<TNew>>(bytes));
        }

        IsMismatch(() => reader.Read<TNew>(bytes, "Value"));
        WireContract old = WireContract.From(writer, typeof(Holder<TOld>)), now = WireContract.From(reader, typeof(Holder<TNew>));
        Assert.NotEqual(ContractVerdict.Reads, now.CompareWith(old).ReadsOld);
        Assert.True(now.CompareWith(WireContract.Parse(old.ToString())).BreaksOldPayloads);
        Assert.NotNull(writer.Deserialize<Holder<TOld>>(bytes));
    }

    private static void IsMismatch(Action read) => Assert.Contains(
        Assert.Throws<WireFormatException>(read).Error, new[] { WireFormatError.SchemaMismatch, WireFormatError.TypeMismatch });

    private sealed class Holder<T>
    {
        public T? Value { get; set; }
    }
}
