using System.Collections.Concurrent;
using System.Text;
using Wire.Tests.Testing;

namespace Wire.Tests.OptIn;

/// <summary>Takes values of types that an option has to allow through the whole tester.</summary>
internal static class OptInTester
{
    // Types are compiled once for all tests with the same options.
    private static readonly ConcurrentDictionary<Key, (Serializer Serializer, Serializer Twin)> Twins = [];

    public static void RunAll<T>(T[] samples, Func<SerializerOptions, SerializerOptions> allow, Action<T?, T?>? more = null)
    {
        // Stand-ins are complex types, which are tested under every combination elsewhere.
        foreach ((bool references, bool tolerance, bool dynamicCode) in new[]
        {
            (true, true, true),
            (false, true, false),
            (false, false, true),
        })
        {
            (Serializer serializer, Serializer twin) = Twins.GetOrAdd(new Key(allow, references, tolerance, dynamicCode), Make);
            var tester = new ValueTester<T>(serializer, more);
            foreach (T sample in samples)
            {
                tester.Sources(sample);
                tester.Containers(sample, samples);
                tester.Sessions(sample);
                tester.Typed(sample);
                tester.Cuts(sample);
                tester.Damage(sample);
                Assert.Equal(serializer.Serialize(sample), twin.Serialize(sample));
                byte[] wide = serializer.Serialize(new WrittenWide { A = 1, B = sample, C = sample, D = 2 });
                Assert.NotEmpty(PayloadDump.Describe(wide));
                if (tolerance)
                {
                    // Read by a program that has neither the member nor the option.
                    Narrow narrow = new Serializer().Deserialize<Narrow>(wide)!;
                    Assert.Equal((1, 2), (narrow.A, narrow.D));
                }
            }
        }
    }

    private static (Serializer Serializer, Serializer Twin) Make(Key key)
    {
        SerializerOptions options = key.Allow(Configuration.Options(key.References, key.Tolerance, key.DynamicCode));
        return (new Serializer(options), new Serializer(options with { DynamicCode = !key.DynamicCode }));
    }

    /// <summary>A serializer with the options and the types of this assembly.</summary>
    public static Serializer With(Func<SerializerOptions, SerializerOptions> change, bool references = true) =>
        new(change(Configuration.Options(references, tolerance: true, dynamicCode: true)));

    /// <summary>Both what is written and what is read must name the option that is off.</summary>
    public static void IsRefusedWithout(string option, object value, Serializer on)
    {
        var off = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        UnsupportedTypeException unsupported = Assert.Throws<UnsupportedTypeException>(() => off.Serialize(value));
        Assert.Contains("SerializerOptions." + option, unsupported.Message, StringComparison.Ordinal);
        TypeRefusedException refused = Assert.Throws<TypeRefusedException>(() => off.Deserialize<object>(on.Serialize(value)));
        Assert.Contains("SerializerOptions." + option, refused.Message, StringComparison.Ordinal);
        refused = Assert.Throws<TypeRefusedException>(() => off.Deserialize<object>(on.Serialize(new object[] { 1, value })));
        Assert.Equal("[1]", refused.MemberPath);
    }

    /// <summary>64 types that are not generic; pairs of them are as many constructed types or methods as payloads may name.</summary>
    public static Type[] ManyTypes() =>
        [.. new[] { typeof(int), typeof(long) }.SelectMany(
            type => Enumerable.Range(1, 32).Select(rank => rank == 1 ? type.MakeArrayType() : type.MakeArrayType(rank)))];

    /// <summary>Replaces strings of a payload by others: a Latin-1 string is a varint of twice its length and 1, and its text.</summary>
    public static byte[] Forge(byte[] payload, params (string From, string To)[] changes)
    {
        string text = Encoding.Latin1.GetString(payload);
        foreach ((string from, string to) in changes)
        {
            string changed = text.Replace(Written(from), Written(to), StringComparison.Ordinal);
            Assert.NotEqual(text, changed);
            text = changed;
        }

        return Encoding.Latin1.GetBytes(text);
    }

    private static string Written(string text)
    {
        int header = (text.Length << 1) + 1;
        return header < 0x80 ? (char)header + text : $"{(char)(header & 0x7F | 0x80)}{(char)(header >> 7)}{text}";
    }

    private sealed record Key(Func<SerializerOptions, SerializerOptions> Allow, bool References, bool Tolerance, bool DynamicCode);

    [WireName("OptInTester.Shared")]
    private sealed class WrittenWide
    {
        public int A { get; set; }

        public object? B { get; set; }

        public object? C { get; set; }

        public int D { get; set; }
    }

    [WireName("OptInTester.Shared")]
    private sealed class Narrow
    {
        public int A { get; set; }

        public int D { get; set; }
    }
}
