using System.Runtime.Loader;
using Wire.Testing.Fuzzing;
using Xunit;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>What the fuzzer judges by finds each kind of broken promise, and nothing where none is broken.</summary>
public class OracleTests
{
    [Fact]
    public void A_value_and_a_refusal_are_no_findings()
    {
        var serializer = new Serializer();
        Assert.Equal(new Verdict(null, true), Oracle.Judge(new Made(serializer.Deserialize<object>), serializer.Serialize(1)));
        Assert.Equal(new Verdict(null, false), Oracle.Judge(new Made(serializer.Deserialize<object>), [0x10]));
    }

    [Fact]
    public void Another_exception_of_the_library_is_a_finding()
    {
        // Of a method that is too large to be inlined into the test's own.
        Finding? finding = Oracle.Judge(new Made(_ => new Serializer(null!)), []).Finding;
        Assert.Equal("exception", finding?.Kind);
        Assert.StartsWith("ArgumentNullException Serializer", finding?.Place, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_code_of_users_throws_is_none() =>
        Assert.Equal(new Verdict(null, false), Oracle.Judge(new Made(_ => throw new InvalidOperationException("ours")), []));

    [Fact]
    public void Memory_without_measure_is_a_finding() =>
        Assert.Equal("allocation", Oracle.Judge(new Made(_ => new byte[1 << 20]), [1]).Finding?.Kind);

    [Fact]
    public void What_is_allocated_once_is_none()
    {
        byte[]? kept = null;
        Assert.Null(Oracle.Judge(new Made(_ => kept ??= new byte[1 << 20]), [1]).Finding);
    }

    [Fact]
    public void An_assembly_that_is_loaded_is_a_finding()
    {
        var context = new AssemblyLoadContext(null, isCollectible: true);
        Finding? finding =
            Oracle.Judge(new Made(_ => context.LoadFromAssemblyPath(typeof(Assert).Assembly.Location).GetName().Name), []).Finding;
        context.Unload();
        Assert.Equal("assembly", finding?.Kind);
    }

    [Fact]
    public void A_value_that_cannot_be_written_again_is_a_finding()
    {
        var route = new Route<object>(
            Routes.Payload, (serializer, bytes) => (Action)(() => { }), (serializer, value) => serializer.Serialize(value));
        var target = new WireTarget<object>("made", SerializerOptions.Default, route, () => []);
        Assert.Equal("unwritable", Oracle.Judge(target, [1]).Finding?.Kind);
    }

    [Fact]
    public void A_value_that_changes_when_it_is_written_and_read_is_a_finding()
    {
        int number = 0;
        var route = new Route<object>(Routes.Payload, (serializer, bytes) => number++, (serializer, value) => serializer.Serialize(value));
        var target = new WireTarget<object>("made", SerializerOptions.Default, route, () => []);
        Assert.Equal("different", Oracle.Judge(target, [1]).Finding?.Kind);
    }

    [Fact]
    public void A_value_that_shows_its_change_only_in_its_bytes_is_a_finding()
    {
        int number = 0;
        var route = new Route<object>(Routes.Payload, (_, _) => 0, (serializer, value) => serializer.Serialize(number++));
        var target = new WireTarget<object>("made", SerializerOptions.Default, route, () => []);
        Assert.Equal("unstable", Oracle.Judge(target, [1]).Finding?.Kind);
    }

    [Fact]
    public void A_collection_that_does_not_find_its_own_key_is_a_finding()
    {
        var route = new Route<object>(Routes.Payload, (_, _) => Lost(), (serializer, value) => serializer.Serialize(value));
        var target = new WireTarget<object>("made", SerializerOptions.Default, route, () => []);
        Assert.Equal("keys", Oracle.Judge(target, [1]).Finding?.Kind);

        static HashSet<StrongBox> Lost()
        {
            var key = new StrongBox();
            var set = new HashSet<StrongBox> { key };
            key.Value = 1;
            return set;
        }
    }

    [Fact]
    public void A_seed_that_is_read_otherwise_after_a_while_is_a_finding()
    {
        bool isBroken = false;
        var route = new Route<object>(
            Routes.Payload,
            (serializer, bytes) => isBroken ? 0 : serializer.Deserialize<object>(bytes),
            (serializer, value) => serializer.Serialize(value));
        var target =
            new WireTarget<object>("made", SerializerOptions.Default, route, () => [new Seed("one", new Serializer().Serialize(1))]);
        Assert.Null(Oracle.Probe(target));
        isBroken = true;
        Assert.Equal("probe", Oracle.Probe(target)?.Kind);
    }

    private sealed record StrongBox
    {
        public int Value { get; set; }
    }

    private sealed class Made(Func<byte[], object?> read) : Target("made", "bytes")
    {
        public override IReadOnlyList<Seed> Seeds => [];

        public override object? Read(byte[] input) => read(input);
    }
}
