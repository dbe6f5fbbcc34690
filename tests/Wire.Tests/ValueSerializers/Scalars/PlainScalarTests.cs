using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Security.Cryptography;
using Wire.Tests.Testing;
using AssemblyHashAlgorithm = System.Configuration.Assemblies.AssemblyHashAlgorithm;
using AssemblyVersionCompatibility = System.Configuration.Assemblies.AssemblyVersionCompatibility;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("all that it says; nothing is loaded")]
public sealed class AssemblyNameTests : ValueTests<AssemblyName?>
{
    protected override IEnumerable<AssemblyName?> Samples =>
    [
        null, new(), new("Some.Name"), new("Some.Name, Version=1.2, Culture=neutral, PublicKeyToken=null"),
        typeof(object).Assembly.GetName(),
        new("A, Version=1.2.3.4, Culture=de-CH, PublicKeyToken=0011223344556677, Retargetable=Yes, ContentType=WindowsRuntime"), Full(),
    ];

    [Fact]
    public void A_culture_that_its_name_does_not_say_is_refused()
    {
        var name = new AssemblyName("a") { CultureInfo = new System.Globalization.CultureInfo("de-DE_phoneb") };

        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(name));
    }

    [Fact]
    public void What_is_wrong_with_a_value_is_not_said_of_its_last_part()
    {
        byte[] payload = new Serializer().Serialize<object>(new ValueTuple<MemoryStream>(new MemoryStream([1, 2, 3], 0, 3)));
        payload.AsSpan()[payload.AsSpan().IndexOf((ReadOnlySpan<byte>)[3, 0, 0, 0])] = 77;

        Assert.Equal("Item1", Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(payload)).MemberPath);
    }

    [Fact]
    public void A_key_that_is_none_comes_back_as_it_is()
    {
        var name = new AssemblyName("a");
        name.SetPublicKey([1, 2, 3]);
        AssemblyName back = new Serializer().CopyBothWays(name);
        Assert.Equal([1, 2, 3], back.GetPublicKey());
        Assert.Equal(name.Flags, back.Flags);
    }

    private static AssemblyName Full()
    {
        var name = new AssemblyName
        {
            Name = "Full, \"name\"",
            Version = new Version(1, 0),
            CultureInfo = new CultureInfo("fr"),
            Flags = AssemblyNameFlags.EnableJITcompileOptimizer,
            ContentType = AssemblyContentType.WindowsRuntime,
#pragma warning disable SYSLIB0037, SYSLIB0044 // Obsolete, and still a part of it.
            ProcessorArchitecture = ProcessorArchitecture.Amd64,
            HashAlgorithm = AssemblyHashAlgorithm.SHA256,
            VersionCompatibility = AssemblyVersionCompatibility.SameProcess,
            CodeBase = "file:///a",
#pragma warning restore SYSLIB0037, SYSLIB0044
        };
        name.SetPublicKey(typeof(object).Assembly.GetName().GetPublicKey());
        name.SetPublicKeyToken([1, 2, 3, 4, 5, 6, 7, 8]);
        return name;
    }
}

[TypeNotes(
    "its bytes and position, over a buffer of its own; of one that cannot grow its capacity and what may be done with it; "
    + "a closed one is refused")]
public sealed class MemoryStreamTests : ValueTests<MemoryStream?>
{
    protected override IEnumerable<MemoryStream?> Samples =>
    [
        null, new(), At(0, 1, 2, 3), At(3, 1, 2, 3), At(100, 1), new(new byte[] { 1, 2 }), new([1, 2], writable: false),
        new([0, 1, 2, 3], 1, 2),
        new([0, 1, 2, 3], 1, 2, writable: true, publiclyVisible: true) { Position = 1 },
        new([0, 1], 0, 2, writable: false, publiclyVisible: true), Shortened(), new([]),
    ];

    [Fact]
    public void A_copy_works_like_the_original()
    {
        MemoryStream growing = new Serializer().CopyBothWays(At(1, 1, 2, 3));
        Assert.Equal(2, growing.ReadByte());
        growing.Write([7, 8, 9]);
        Assert.Equal([1, 2, 7, 8, 9], growing.ToArray());

        MemoryStream shortened = new Serializer().CopyBothWays(Shortened());
        shortened.SetLength(4);
        Assert.Equal([1, 2, 0, 0], shortened.ToArray());
        Assert.Throws<NotSupportedException>(() => shortened.SetLength(5));
        Assert.Throws<NotSupportedException>(() => new Serializer().CopyBothWays(new MemoryStream([1], writable: false)).WriteByte(1));
    }

    [Fact]
    public void It_may_be_a_stream_and_shared()
    {
        Stream stream = At(1, 1, 2);
        var holder = new Holder<Stream> { Declared = stream, Any = stream };
        Holder<Stream> back = new Serializer(new SerializerOptions { PreserveObjectReferences = true }).CopyBothWays(holder);
        Assert.Same(back.Declared, back.Any);
        Assert.Equal(1, back.Declared!.Position);
    }

    [Fact]
    public void A_closed_one_and_one_of_the_programs_own_are_refused()
    {
        var closed = new MemoryStream([1]);
        closed.Dispose();
        Assert.Contains(
            "closed", Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(closed)).Message, StringComparison.Ordinal);
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new OwnStream()));
    }

    [Theory]
    [InlineData(4)]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(2_000_000_000)]
    public void A_buffer_that_does_not_hold_the_bytes_is_invalid(int length)
    {
        byte[] payload = new Serializer().Serialize(new MemoryStream([1, 2, 3], 0, 3));
        BitConverter.GetBytes(length).CopyTo(payload, payload.AsSpan().IndexOf((ReadOnlySpan<byte>)[3, 0, 0, 0]));

        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(payload)).Error);
    }

    [Fact]
    public void What_is_behind_the_end_of_a_buffer_takes_its_bytes_and_does_not_go_out()
    {
        var stream = new MemoryStream([1, 2, 3, .. Enumerable.Repeat((byte)0x77, 100)]);
        stream.SetLength(3);

        byte[] payload = new Serializer().Serialize(stream);

        Assert.DoesNotContain((byte)0x77, payload[^110..]);
        Assert.InRange(payload.Length, 103, 250);
        MemoryStream read = Assert.IsType<MemoryStream>(new Serializer().Deserialize<object>(payload));
        Assert.Equal((3, 103), (read.Length, read.Capacity));
    }

    private static MemoryStream At(int position, params byte[] bytes)
    {
        var stream = new MemoryStream();
        stream.Write(bytes);
        stream.Position = position;
        return stream;
    }

    private static MemoryStream Shortened()
    {
        var stream = new MemoryStream([1, 2, 3, 4]);
        stream.SetLength(2);
        return stream;
    }

    private sealed class OwnStream : MemoryStream;
}

[TypeNotes("the empty one comes back as that instance; a class of your own as any other")]
public sealed class EventArgsTests : ValueTests<EventArgs?>
{
    protected override IEnumerable<EventArgs?> Samples => [null, EventArgs.Empty, new(), new OwnArgs { Number = 5 }];

    [Fact]
    public void One_of_a_class_of_the_frameworks_that_Wire_does_not_know_is_refused() =>
        Assert.Throws<UnsupportedTypeException>(
            () => new Serializer().Serialize(new Holder<EventArgs> { Declared = new RunWorkerCompletedEventArgs(1, null, false) }));

    public sealed class OwnArgs : EventArgs
    {
        public int Number { get; set; }
    }
}

[TypeNotes("its parts as they are")]
public sealed class UriBuilderTests : ValueTests<UriBuilder?>
{
    protected override IEnumerable<UriBuilder?> Samples =>
    [
        null, new(), new("http://user:pass@host:81/a%20b/c?d=e#f"), new("mailto:a@example.com"), new("https", "::1", 443, "/x y"),
        new("file:///a/b"), new("ftp://\u00E4.example/\u00E4?\u00E4#\u00E4"),
        new() { Scheme = "", Host = "", Port = -1, Path = "" }, new("example.com") { Query = "?a", Fragment = "#b", UserName = "u" },
    ];

    protected override void More(UriBuilder? expected, UriBuilder? actual) => Assert.Equal(expected?.ToString(), actual?.ToString());
}

public sealed class HashAlgorithmNameTests : ValueTests<HashAlgorithmName>
{
    protected override IEnumerable<HashAlgorithmName> Samples => [default, HashAlgorithmName.SHA256, new(""), new("own")];
}

public sealed class ActivityTraceIdTests : ValueTests<ActivityTraceId>
{
    protected override IEnumerable<ActivityTraceId> Samples =>
    [
        default, ActivityTraceId.CreateFromBytes(new byte[16]), ActivityTraceId.CreateFromString("0123456789abcdef0123456789abcdef"),
        ActivityTraceId.CreateRandom(),
    ];

    [Fact]
    public void One_of_another_length_is_invalid()
    {
        byte[] bytes = new Serializer().SerializeTyped(ActivityTraceId.CreateRandom());
        bytes[^17] = 15;
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => new Serializer().DeserializeTyped<ActivityTraceId>(bytes.AsSpan(..^1))).Error);
    }
}

public sealed class ActivitySpanIdTests : ValueTests<ActivitySpanId>
{
    protected override IEnumerable<ActivitySpanId> Samples =>
    [
        default, ActivitySpanId.CreateFromBytes(new byte[8]), ActivitySpanId.CreateFromString("0123456789abcdef"),
        ActivitySpanId.CreateRandom(),
    ];
}

public sealed class ActivityContextTests : ValueTests<ActivityContext>
{
    protected override IEnumerable<ActivityContext> Samples =>
    [
        default, new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded),
        new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.None, "a=b", isRemote: true),
        new(default, ActivitySpanId.CreateRandom(), (ActivityTraceFlags)255, ""),
    ];
}

[TypeNotes("platform and version")]
public sealed class OperatingSystemTests : ValueTests<OperatingSystem?>
{
    protected override IEnumerable<OperatingSystem?> Samples => [null, new(PlatformID.Unix, new(6, 1)), Environment.OSVersion];
}
