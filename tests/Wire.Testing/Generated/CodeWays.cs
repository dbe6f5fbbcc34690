using System.Globalization;

namespace Wire.Testing.Generated;

/// <summary>
/// The ways in which members are written and read with the same options: by emitted code, by what works without any, and by generated code.
/// </summary>
/// <param name="options">The options.</param>
/// <param name="table">The table with the generated code.</param>
public sealed class CodeWays(SerializerOptions options, WireTypes table)
{
    // The second message of a kind, and the second that is read, are those of plans, which may be flat.
    private const int Times = 3;

    private const string Cut = "Wire.WireFormatException: The input ends inside a value";

    private const string Place = " (at byte ";

    /// <summary>Gets the serializer that emits code.</summary>
    public Serializer Emitted { get; } = new(options);

    /// <summary>Gets the one without code.</summary>
    public Serializer Plain { get; } = new(options with { DynamicCode = false });

    /// <summary>Gets the one with generated code.</summary>
    public Serializer Generated { get; } = new(options with { DynamicCode = false, Types = table });

    /// <summary>All combinations of the options that change bytes or code.</summary>
    /// <param name="filter">The types that payloads may name.</param>
    /// <param name="table">The table with the generated code.</param>
    public static CodeWays[] All(WireTypeFilter filter, WireTypes table) =>
    [
        .. from references in new[] { false, true }
           from tolerance in new[] { true, false }
           from names in new[] { true, false }
           select new CodeWays(
               new SerializerOptions
               {
                   PreserveObjectReferences = references,
                   VersionTolerance = tolerance,
                   EnumsByName = names,
                   IgnoreDelegateMembers = true,
                   TypeFilter = filter,
               },
               table),
    ];

    /// <summary>Writes a value in each way, and reads it in each; returns its bytes, or null where it is refused.</summary>
    /// <param name="value">The value.</param>
    public byte[]? Write(object value)
    {
        string expected = Written(Emitted, value, out byte[]? bytes);
        AssertSame(expected, Written(Plain, value, out _), value);
        AssertSame(expected, Written(Generated, value, out _), value);
        if (bytes is null)
        {
            return null;
        }

        Type type = value.GetType();
        string read = Read(Emitted, type, bytes);
        AssertSame(read, Read(Plain, type, bytes), value);
        AssertSame(read, Read(Generated, type, bytes), value);
        return bytes;
    }

    /// <summary>Reads damaged payloads in each way, and returns how many.</summary>
    /// <param name="type">The type of the value.</param>
    /// <param name="bytes">Its payload.</param>
    /// <param name="random">Where the damage is.</param>
    public int Damage(Type type, byte[] bytes, Random random)
    {
        int done = 0;
        for (int i = 0; i < 12; i++, done++)
        {
            // One or the other: of two faults, each kind of code may meet another first.
            byte[] damaged = [.. bytes];
            if (i % 3 == 0)
            {
                damaged = damaged[..random.Next(bytes.Length)];
            }
            else
            {
                damaged[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            string actual = Read(Generated, type, damaged);
            string plain = Read(Plain, type, damaged), emitted = Read(Emitted, type, damaged);
            Assert.True(
                (actual == plain || (IsCut(actual) && PlaceOf(actual) <= PlaceOf(plain)))
                    && WithoutPlace(actual) == WithoutPlace(emitted),
                $"{type}, {Convert.ToHexString(damaged)}:\n{plain}\nemitted:\n{emitted}\nand generated:\n{actual}");
        }

        return done;
    }

    private static void AssertSame(string expected, string actual, object value) =>
        Assert.True(expected == actual, $"{value.GetType()}:\n{expected}\nand:\n{actual}");

    private static bool IsRefusal(Exception e) => e is WireFormatException or ObjectGraphException or UnsupportedTypeException;

    // Code that knows of them asks for members of fixed size at once, and the end is where the first of them begins. Without it, those that
    // are there are read, and one of them may be refused.
    private static bool IsCut(string outcome) => outcome.StartsWith(Cut, StringComparison.Ordinal);

    // What is not refused has none.
    private static int PlaceOf(string outcome)
    {
        int start = outcome.IndexOf(Place, StringComparison.Ordinal) + Place.Length;
        return start < Place.Length
            ? -1
            : int.Parse(outcome.AsSpan(start, outcome.AsSpan(start).IndexOfAnyExceptInRange('0', '9')), CultureInfo.InvariantCulture);
    }

    // Emitted code is behind all of them when it refuses one.
    private static string WithoutPlace(string outcome) =>
        IsCut(outcome) ? Cut
        : outcome.IndexOf(Place, StringComparison.Ordinal) is >= 0 and var place ? outcome[..place]
        : outcome;

    private static string Written(Serializer serializer, object value, out byte[]? bytes)
    {
        bytes = null;
        for (int i = 0; i < Times; i++)
        {
            try
            {
                byte[] now = serializer.Serialize(value);
                Assert.Equal(bytes ?? now, now);
                bytes = now;
            }
            catch (Exception e) when (bytes is null && IsRefusal(e))
            {
                return $"{e.GetType()}: {e.Message}";
            }
        }

        return Convert.ToHexString(bytes!);
    }

    // What is read is compared by what it is written as: once, since a value that is written again and again is compared in Write.
    private string Read(Serializer serializer, Type type, byte[] bytes)
    {
        string? outcome = null;
        for (int i = 0; i < Times; i++)
        {
            string now;
            try
            {
                now = Convert.ToHexString(Plain.Serialize(serializer.Deserialize(type, bytes)!));
            }
            catch (Exception e) when (IsRefusal(e))
            {
                now = $"{e.GetType()}: {e.Message}";
            }

            outcome ??= now;
            Assert.Equal(WithoutPlace(outcome), WithoutPlace(now));
        }

        return outcome!;
    }
}
