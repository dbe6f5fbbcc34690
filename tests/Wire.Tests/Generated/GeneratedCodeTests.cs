using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Testing;
using Wire.Testing.Generated;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;
using Xunit.Abstractions;

namespace Wire.Tests.Generated;

/// <summary>
/// Code that was generated for members, code that is emitted for them, and what works without either write the same bytes, read them, and
/// refuse the same for the same reason: for random values of every type of these tests. Alone, since some types count what is done to them.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class GeneratedCodeTests(ITestOutputHelper output)
{
    private const BindingFlags Internal = BindingFlags.Instance | BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public;
    private const int Parts = 8;

    private static readonly Lazy<Type[]> Coded = new(() => CodedTypes.Of(TestMessages.Default));

    private static readonly Lazy<CodeWays[]> All = new(() => CodeWays.All(Setup.TestTypes, TestMessages.Default));

    public static TheoryData<int> Part => [.. Enumerable.Range(0, Parts)];

    [Theory]
    [MemberData(nameof(Part))]
    public void Generated_code_writes_reads_and_refuses_what_other_code_does(int part)
    {
        int written = 0, refused = 0, damaged = 0;
        for (int i = part; i < Coded.Value.Length; i += Parts)
        {
            var random = new Random(i);
            for (int turn = 0; turn < All.Value.Length; turn++)
            {
                if (!Sweep.Takes((i * All.Value.Length) + turn, among: 4))
                {
                    continue;
                }

                CodeWays ways = All.Value[turn];
                for (int round = 0; round < 3; round++)
                {
                    if (new RandomValue(random, typeof(GeneratedCodeTests).Assembly).Of(Coded.Value[i]) is not { } value)
                    {
                        break;
                    }

                    if (ways.Write(value) is not { } bytes)
                    {
                        refused++;
                        continue;
                    }

                    written++;
                    damaged += round == 2 ? ways.Damage(value.GetType(), bytes, random) : 0;
                }
            }
        }

        output.WriteLine($"{written} values written and read alike, {refused} refused alike, {damaged} damaged payloads alike");
        Assert.InRange(written, refused, int.MaxValue);
    }

    [Fact]
    public void Generated_code_fits_the_types_that_it_was_generated_for()
    {
        int fits = 0;
        var others = new List<string>();
        foreach (Type type in Coded.Value)
        {
            switch (CodedTypes.Fits(All.Value[0].Generated, type))
            {
                case null:
                    output.WriteLine($"{type}: no plan");
                    break;
                case true:
                    fits++;
                    break;
                default:
                    others.Add(type.ToString());
                    break;
            }
        }

        output.WriteLine($"{fits} of {Coded.Value.Length} fit; others: {string.Join(", ", others)}");
        Assert.InRange(fits, 400, Coded.Value.Length);
        Assert.InRange(others.Count, 0, fits / 20);
    }

    // A table asks no attribute for them, so that it has to be right.
    [Fact]
    public void Generated_code_tells_the_members_that_reflection_finds()
    {
        int told = 0;
        foreach (Type type in Coded.Value)
        {
            (string[]? members, string[]? found) = CodedTypes.MembersOf(TestMessages.Default, type);
            if (members is not null)
            {
                told++;
                Assert.Equal(found, members);
            }
        }

        output.WriteLine($"{told} of {Coded.Value.Length} types are told");
        Assert.InRange(told, 400, Coded.Value.Length);
    }

    // A limit of emitted code, and of nothing else, is that it knows no layout that a field may not show.
    [Fact]
    public void The_same_types_are_flat_whether_code_is_emitted_generated_or_neither()
    {
        int flat = 0, generated = 0, leaves = 0;
        foreach (CodeWays ways in All.Value)
        {
            foreach (Type type in Coded.Value.Where(type => !type.IsValueType))
            {
                CodedTypes.FlatFace? own = CodedTypes.FlatOf(ways.Generated, type);
                Assert.Equal((own is null, type), (CodedTypes.FlatOf(ways.Emitted, type) is null, type));
                Assert.Equal((own is null, type), (CodedTypes.FlatOf(ways.Plain, type) is null, type));
                if (own is not null)
                {
                    flat++;
                    generated += own.IsGenerated ? 1 : 0;
                    leaves += own.IsLeaf ? 1 : 0;
                }
            }
        }

        output.WriteLine($"{flat} flat types and options, {generated} of them with generated code, {leaves} of them leaves");
        Assert.InRange(flat, 1000, int.MaxValue);
        Assert.InRange(generated, flat - (flat / 20), flat);
        Assert.InRange(leaves, 200, flat - 100);
    }

    // Enough of them for flat code, with others in between.
    [Fact]
    public void Elements_are_written_and_read_alike()
    {
        int written = 0, damaged = 0, number = 0;
        MethodInfo fill = typeof(GeneratedCodeTests).GetMethod(nameof(Collections), Internal)!;
        foreach (Type type in Coded.Value.Where(type => !type.IsValueType))
        {
            CodeWays ways = All.Value[number++ % All.Value.Length];
            if (CodedTypes.FlatOf(ways.Generated, type) is not { IsLeaf: true })
            {
                continue;
            }

            var random = new Random(number);
            foreach (object value in (object[])fill.MakeGenericMethod(type).Invoke(null, [random])!)
            {
                if (ways.Write(value) is { } bytes)
                {
                    written++;
                    damaged += ways.Damage(value.GetType(), bytes, random);
                }
            }
        }

        output.WriteLine($"{written} collections written and read alike, {damaged} damaged payloads alike");
        Assert.InRange(written, 100, int.MaxValue);
    }

    // What is read is not what lay in the memory before.
    [Fact]
    public void Fields_that_are_no_members_are_zero()
    {
        var cells = new Cells { All = new Cells.Cell[6000] };
        byte[] payload = All.Value[0].Emitted.Serialize(cells);
        foreach (CodeWays ways in All.Value.Where(ways => ways.Emitted.Serialize(cells).AsSpan().SequenceEqual(payload)))
        {
            foreach (Serializer serializer in new[] { ways.Emitted, ways.Plain, ways.Generated })
            {
                for (int i = 0; i < 5; i++)
                {
                    var kept = new List<byte[]>();
                    Dirty(Unsafe.SizeOf<Cells.Cell>() * cells.All.Length, kept);
                    Assert.All(serializer.Deserialize<Cells>(payload)!.All, cell => Assert.Equal(0, cell.Cache));
                    GC.KeepAlive(kept);
                }
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Dirty(int size, List<byte[]> kept)
        {
            // Some stay, so that the memory between them is used again as it is.
            for (int i = 0; i < 64; i++)
            {
                byte[] part = GC.AllocateUninitializedArray<byte>(size + 64);
                part.AsSpan().Fill(byte.MaxValue);
                if (i % 2 == 0)
                {
                    kept.Add(part);
                }
            }

            GC.Collect();
        }
    }

    [Fact]
    public void Code_stays_where_another_table_has_a_row_of_the_type()
    {
        WireTypes other = [WireRow.Class(static () => new Bench.Account())];
        WireTypes own = TestMessages.Default;
        foreach (WireTypes joined in new[] { WireTypes.Combine(other, own), WireTypes.Combine(own, other) })
        {
            Assert.True(CodedTypes.HasCode(joined.Single(row => row.Type == typeof(Bench.Account))));
        }
    }

    private static object[] Collections<T>(Random random)
        where T : class
    {
        T?[] all = new T?[40];
        for (int i = 0; i < all.Length; i++)
        {
            all[i] = random.Next(20) == 0 ? null : (T)new RandomValue(random, typeof(GeneratedCodeTests).Assembly).Of(typeof(T))!;
        }

        return
        [
            all,
            new List<T?>(all),
            Array.ConvertAll(all, value => random.Next(20) == 0 ? (object)"other" : value),
            all.Select((value, i) => (value, i)).ToDictionary(pair => pair.i, pair => pair.value),
            all.Select((value, i) => (value, i)).ToDictionary(pair => $"{pair.i} {(char)random.Next(0x2000)}", pair => pair.value),
        ];
    }
}
