using System.Buffers;
using System.Collections.Immutable;
using System.Net;
using System.Numerics;
using Wire.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Messages of hundreds of types in random order: each comes back as what it was, however many kinds a serializer has seen.
/// </summary>
public class ManyKindsTests
{
    private static readonly Type[] Parts =
    [
        typeof(bool), typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
        typeof(float), typeof(double), typeof(decimal), typeof(char), typeof(string), typeof(Guid), typeof(DateTime), typeof(TimeSpan),
        typeof(Half), typeof(Int128), typeof(object), typeof(Uri), typeof(Version), typeof(BigInteger), typeof(List<int>),
        typeof(ImmutableArray<int>), typeof(IPAddress),
    ];

    private static readonly Type[] Kinds =
        [.. (from first in Parts from second in Parts select typeof(Kind<,>).MakeGenericType(first, second)).Sample(among: 2)];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Messages_of_hundreds_of_types_in_random_order_come_back_as_they_were(bool tolerance)
    {
        var serializer = new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.Allow(typeof(Kind<,>)),
            VersionTolerance = tolerance,
        });
        var random = new Random(1);
        var output = new ArrayBufferWriter<byte>(1024);
        for (int round = 0; round < 6; round++)
        {
            random.Shuffle(Kinds);
            foreach (Type type in Kinds)
            {
                var kind = (Kind)Activator.CreateInstance(type)!;
                kind.Number = random.Next();
                kind.Text = random.Next(4) switch { 0 => null, 1 => "ä", 2 => "λόγος", _ => new string('x', random.Next(200)) };
                output.ResetWrittenCount();
                serializer.Serialize(kind, output);
                Assert.Equal(output.WrittenSpan, serializer.Serialize<object>(kind));
                Check(kind, serializer.Deserialize<object>(output.WrittenSpan));
                Check(kind, serializer.Deserialize<Kind>(output.WrittenSpan));
            }
        }
    }

    [Fact]
    public void A_payload_is_judged_for_each_type_that_it_is_read_as()
    {
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize(new Kind<int, string> { Number = 7 });
        for (int round = 0; round < 3; round++)
        {
            Assert.Equal(7, serializer.Deserialize<Kind<int, string>>(payload)!.Number);
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Kind>(payload));
            WireFormatException mismatch = Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<Kind<int, bool>>(payload));
            Assert.NotEqual(WireFormatError.Limit, mismatch.Error);
        }
    }

    [Fact]
    public void A_clone_does_not_let_payloads_name_its_type()
    {
        var serializer = new Serializer();
        var kind = new Kind<string, string> { Number = 9 };
        byte[] payload = serializer.Serialize<object>(kind);
        for (int round = 0; round < 4; round++)
        {
            Check(kind, serializer.Clone<object>(kind));
            Check(kind, serializer.Deserialize<Kind<string, string>>(payload));
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
        }
    }

    private static void Check(Kind written, object? read)
    {
        Assert.NotSame(written, read);
        Assert.Equal(written.GetType(), read!.GetType());
        Assert.Equal(written.Number, ((Kind)read).Number);
        Assert.Equal(written.Text, ((Kind)read).Text);
    }

    private abstract class Kind
    {
        public int Number { get; set; }

        public string? Text { get; set; }
    }

    private sealed class Kind<TFirst, TSecond> : Kind
    {
        public TFirst? First { get; set; }

        public TSecond? Second { get; set; }
    }
}
