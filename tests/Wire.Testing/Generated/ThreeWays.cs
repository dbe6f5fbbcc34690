using System.Reflection;

namespace Wire.Testing.Generated;

/// <summary>
/// A serializer with emitted code, one without any code and one with generated code: they write the same bytes, read them, and refuse the
/// same for the same reason.
/// </summary>
public sealed class ThreeWays(SerializerOptions options, WireTypes types)
{
    private const BindingFlags Internal = BindingFlags.Instance | BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public;
    private const string Cut = "Wire.WireFormatException: The input ends inside a value";

    // The second message of a kind, and the second that is read, are those of plans, which may be flat.
    private const int Times = 3;

    /// <summary>Gets the one with emitted code.</summary>
    public Serializer Emitted { get; } = new(options);

    /// <summary>Gets the one without any.</summary>
    public Serializer Plain { get; } = new(options with { DynamicCode = false });

    /// <summary>Gets the one with generated code.</summary>
    public Serializer Generated { get; } = new(options with { DynamicCode = false, Types = types });

    /// <summary>Writes a value in each way, and reads it.</summary>
    /// <returns>The bytes, which are the same; null where each refuses it for the same reason.</returns>
    public byte[]? Write(object value)
    {
        string expected = Written(Emitted, value, out byte[]? bytes);
        Assert.Equal(expected, Written(Plain, value, out _));
        Assert.Equal(expected, Written(Generated, value, out _));
        if (bytes is null)
        {
            return null;
        }

        Type type = value.GetType();
        string read = Read(Emitted, type, bytes);
        Assert.Equal(read, Read(Plain, type, bytes));
        Assert.Equal(read, Read(Generated, type, bytes));
        return bytes;
    }

    /// <summary>Reads damaged bytes in each way: the result is the same, or the reason.</summary>
    /// <returns>How many were read.</returns>
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
                (actual == plain || (IsCut(actual) && IsCut(plain))) && WithoutPlace(actual) == WithoutPlace(emitted),
                $"{type}, {Convert.ToHexString(damaged)}:\n{plain}\nemitted:\n{emitted}\nand generated:\n{actual}");
        }

        return done;
    }

    /// <summary>Returns whether generated code fits the plan of a type; null where the type is refused.</summary>
    public bool? Fits(Type type)
    {
        object registry = typeof(Serializer).GetProperty("Registry", Internal)!.GetValue(Generated)!;
        Type plan = typeof(Serializer).Assembly.GetType("Wire.Compilation.TypePlan")!;
        try
        {
            object made = plan.GetMethod("Create", Internal)!.Invoke(null, [type, registry])!;
            return plan.GetField("Generated", Internal)!.GetValue(made) is not null;
        }
        catch (TargetInvocationException e) when (e.InnerException is UnsupportedTypeException)
        {
            return null;
        }
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

    // What is read is compared by what it is written as.
    private string Read(Serializer serializer, Type type, byte[] bytes)
    {
        string? outcome = null;
        for (int i = 0; i < Times; i++)
        {
            string now;
            try
            {
                now = Written(Plain, serializer.Deserialize(type, bytes)!, out _);
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
