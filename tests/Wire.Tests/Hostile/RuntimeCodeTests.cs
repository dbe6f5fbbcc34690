using System.Runtime.CompilerServices;
using Wire.Tests.Behaviour;
using Wire.Tests.Behaviour.Filtering;

namespace Wire.Tests.Hostile;

/// <summary>
/// Code that the runtime runs itself for types that a program allows, and that no serializer can keep from running:
/// docs/security.md says so.
/// </summary>
public sealed class RuntimeCodeTests
{
    private const int Cuts = 20;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Finalizers_run_on_what_a_failed_read_has_begun(bool dynamicCode)
    {
        var serializer = new Serializer(new SerializerOptions { DynamicCode = dynamicCode });
        int before = Finalized.Count;

        ReadCut(serializer);
        for (int i = 0; i < 10 && Finalized.Count - before < Cuts; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        // Some may have been begun twice.
        Assert.InRange(Finalized.Count - before, Cuts, 4 * Cuts);
    }

    [Fact]
    public void Static_constructors_run_for_allowed_types_and_for_no_others()
    {
        string refused = $"{typeof(RuntimeCodeTests).FullName}+{nameof(RefusedType)}, Wire.Tests";
        string allowed = $"{typeof(RuntimeCodeTests).FullName}+{nameof(AllowedType)}, Wire.Tests";

        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(FilterTests.Named(refused)));
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(FilterTests.Named(allowed)));
        Assert.Throws<TypeRefusedException>(
            () => new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted.DenyNamespace("Wire.Tests") })
                .Deserialize<object>(FilterTests.Named(allowed)));
        Assert.Equal([], Initialized.Names);

        Assert.NotNull(
            new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowNamespace("Wire.Tests") })
                .Deserialize<object>(FilterTests.Named(allowed).AsSpan()[..^1]));
        Assert.Equal([nameof(AllowedType)], Initialized.Names);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadCut(Serializer serializer)
    {
        byte[] payload = serializer.Serialize(new Handle { First = 1, Last = "last" });
        for (int i = 0; i < Cuts; i++)
        {
            Assert.Throws<WireFormatException>(() => serializer.Deserialize<Handle>(payload.AsSpan(0, payload.Length - 1)));
        }
    }

    private static class Finalized
    {
        public static int Count;
    }

    private static class Initialized
    {
        public static List<string> Names { get; } = [];
    }

    private sealed class Handle
    {
        public int First { get; set; }

        public string? Last { get; set; }

        ~Handle()
        {
            // What was written has a last member; what was begun and not read to its end has none.
            if (Last is null)
            {
                Interlocked.Increment(ref Finalized.Count);
            }
        }
    }

#pragma warning disable CA1810, S3963 // That they run is what is tested.
    private sealed class AllowedType
    {
        static AllowedType() => Initialized.Names.Add(nameof(AllowedType));
    }

    private sealed class RefusedType
    {
        static RefusedType() => Initialized.Names.Add(nameof(RefusedType));
    }
#pragma warning restore CA1810, S3963
}
