using System.Reflection;
using Wire.Testing;
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
    private const string Cut = "Wire.WireFormatException: The input ends inside a value";

    private static readonly PropertyInfo CodeOfRow = typeof(WireTypeRow).GetProperty("Code", Internal)!;

    private static readonly Lazy<Type[]> Coded = new(() =>
    [
        .. TestMessages.Default.Where(row => CodeOfRow.GetValue(row) is not null).Select(row => row.Type)
            .OrderBy(type => type.ToString(), StringComparer.Ordinal),
    ]);

    private static readonly Lazy<Ways[]> All = new(() =>
    [
        .. from references in new[] { false, true }
           from tolerance in new[] { true, false }
           from names in new[] { true, false }
           select new Ways(new SerializerOptions
           {
               PreserveObjectReferences = references,
               VersionTolerance = tolerance,
               EnumsByName = names,
               IgnoreDelegateMembers = true,
               TypeFilter = Setup.TestTypes,
           }),
    ]);

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

                Ways ways = All.Value[turn];
                for (int round = 0; round < 3; round++)
                {
                    if (new RandomValue(random).Of(Coded.Value[i]) is not { } value)
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
        Serializer serializer = All.Value[0].Generated;
        object registry = typeof(Serializer).GetProperty("Registry", Internal)!.GetValue(serializer)!;
        Type plan = typeof(Serializer).Assembly.GetType("Wire.Compilation.TypePlan")!;
        int fits = 0;
        var others = new List<string>();
        foreach (Type type in Coded.Value)
        {
            try
            {
                object made = plan.GetMethod("Create", Internal)!.Invoke(null, [type, registry])!;
                if (plan.GetField("Generated", Internal)!.GetValue(made) is null)
                {
                    others.Add(type.ToString());
                }
                else
                {
                    fits++;
                }
            }
            catch (TargetInvocationException e) when (e.InnerException is UnsupportedTypeException)
            {
                output.WriteLine($"{type}: no plan");
            }
        }

        output.WriteLine($"{fits} of {Coded.Value.Length} fit; others: {string.Join(", ", others)}");
        Assert.InRange(fits, 400, Coded.Value.Length);
        Assert.InRange(others.Count, 0, fits / 20);
    }

    [Fact]
    public void Code_stays_where_another_table_has_a_row_of_the_type()
    {
        WireTypes other = [WireRow.Class(static () => new Bench.Account())];
        WireTypes own = TestMessages.Default;
        foreach (WireTypes joined in new[] { WireTypes.Combine(other, own), WireTypes.Combine(own, other) })
        {
            Assert.NotNull(CodeOfRow.GetValue(joined.Single(row => row.Type == typeof(Bench.Account))));
        }
    }

    private sealed class Ways(SerializerOptions options)
    {
        private readonly Serializer _emitted = new(options), _plain = new(options with { DynamicCode = false });

        public Serializer Generated { get; } = new(options with { DynamicCode = false, Types = TestMessages.Default });

        public byte[]? Write(object value)
        {
            string expected = Written(_emitted, value, out byte[]? bytes);
            Assert.Equal(expected, Written(_plain, value, out _));
            Assert.Equal(expected, Written(Generated, value, out _));
            if (bytes is null)
            {
                return null;
            }

            Type type = value.GetType();
            string read = Read(_emitted, type, bytes);
            Assert.Equal(read, Read(_plain, type, bytes));
            Assert.Equal(read, Read(Generated, type, bytes));
            return bytes;
        }

        public int Damage(Type type, byte[] bytes, Random random)
        {
            int done = 0;
            for (int i = 0; i < 12; i++, done++)
            {
                byte[] damaged = [.. bytes];
                damaged[random.Next(bytes.Length)] = (byte)random.Next(256);
                if (i % 3 == 0)
                {
                    damaged = damaged[..random.Next(bytes.Length)];
                }

                string actual = Read(Generated, type, damaged);
                string plain = Read(_plain, type, damaged), emitted = Read(_emitted, type, damaged);
                Assert.True(
                    (actual == plain || (IsCut(actual) && IsCut(plain))) && WithoutPlace(actual) == WithoutPlace(emitted),
                    $"{type}, {Convert.ToHexString(damaged)}:\n{plain}\nemitted:\n{emitted}\nand generated:\n{actual}");
            }

            return done;
        }

        private static bool IsRefusal(Exception e) => e is WireFormatException or ObjectGraphException or UnsupportedTypeException;

        // Code that knows of them asks for members of fixed size at once, and the end is where the first of them begins.
        private static bool IsCut(string outcome) => outcome.StartsWith(Cut, StringComparison.Ordinal);

        // Emitted code is behind all of them when it refuses one.
        private static string WithoutPlace(string outcome) =>
            IsCut(outcome) ? Cut
            : outcome.IndexOf(" (at byte ", StringComparison.Ordinal) is >= 0 and var place ? outcome[..place]
            : outcome;

        private static string Written(Serializer serializer, object value, out byte[]? bytes)
        {
            try
            {
                bytes = serializer.Serialize(value);
                return Convert.ToHexString(bytes);
            }
            catch (Exception e) when (IsRefusal(e))
            {
                bytes = null;
                return $"{e.GetType()}: {e.Message}";
            }
        }

        // What is read is compared by what it is written as.
        private string Read(Serializer serializer, Type type, byte[] bytes)
        {
            object? value;
            try
            {
                value = serializer.Deserialize(type, bytes);
            }
            catch (Exception e) when (IsRefusal(e))
            {
                return $"{e.GetType()}: {e.Message}";
            }

            return Written(_plain, value!, out _);
        }
    }
}
