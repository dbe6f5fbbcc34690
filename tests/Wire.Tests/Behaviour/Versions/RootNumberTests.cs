using System.Reflection;
using Wire.Testing;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>A number at the root is read as another number type, exactly or not at all, as one in a member is.</summary>
public sealed class RootNumberTests
{
    private static readonly Type[] Numbers =
    [
        typeof(sbyte), typeof(byte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong), typeof(Int128),
        typeof(UInt128), typeof(nint), typeof(nuint), typeof(Half), typeof(float), typeof(double), typeof(decimal), typeof(char),
        typeof(bool), typeof(DayOfWeek), typeof(Guid), typeof(TimeSpan),
    ];

    private static readonly Serializer Emitting = Setup.Serializer(dynamicCode: true), Reflecting = Setup.Serializer(dynamicCode: false);

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void It_is_read_as_a_member_would_be(bool dynamicCode)
    {
        int read = 0, refused = 0;
        foreach (Type written in Numbers.Where(type => type != typeof(DayOfWeek)))
        {
            foreach (Type asked in Numbers.SelectMany(type => new[] { type, typeof(Nullable<>).MakeGenericType(type) }))
            {
                Type underlying = Nullable.GetUnderlyingType(asked) ?? asked;
                foreach (object value in Values(written))
                {
                    (object? Value, string? Error) member = Outcome(nameof(AsMember), written, asked, dynamicCode, value);
                    (object? Value, string? Error) root = Outcome(nameof(AsRoot), written, asked, dynamicCode, value);
                    Assert.True(Equals(member, root), $"{written} {value} as {asked}: member {member}, root {root}");
                    Assert.True(root.Value is null || root.Value.GetType() == underlying, $"{written} as {asked}");
                    read += root.Error is null ? 1 : 0;
                    refused += root.Error is null ? 0 : 1;
                }
            }
        }

        Assert.InRange(read, 500, int.MaxValue);
        Assert.InRange(refused, 500, int.MaxValue);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Without_version_tolerance_it_is_not(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, options => options with { VersionTolerance = false });
        var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<long>(serializer.Serialize(5)));
        Assert.Equal(WireFormatError.TypeMismatch, e.Error);
        Assert.StartsWith(
            "The program asked for a value of type System.Int64, and the payload holds one of type System.Int32. Ask for "
                + "System.Int32, or for object.",
            e.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void The_program_is_told_once()
    {
        var told = new List<SchemaDifference>();
        var serializer = new Serializer(new SerializerOptions { SchemaDifference = told.Add });
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(5L, serializer.Deserialize<long>(serializer.Serialize(5)));
            Assert.Equal(5L, serializer.Deserialize<long>(new SeekableStream(serializer.Serialize(5))));
        }

        Assert.Equal(typeof(long), Assert.Single(told).Type);
        Assert.Equal(5, serializer.Deserialize<int>(serializer.Serialize(5)));
        Assert.Equal(5, serializer.Deserialize<int?>(serializer.Serialize(5)));
        Assert.Single(told);
    }

    [Fact]
    public void Null_is_only_read_where_it_can_be()
    {
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize<string?>(null);
        Assert.Null(serializer.Deserialize<long?>(payload));
        Assert.EndsWith(
            "If null is a value, ask for long?. (at byte 2)",
            Assert.Throws<WireFormatException>(() => serializer.Deserialize<long>(payload)).Message,
            StringComparison.Ordinal);
    }

    private static IEnumerable<object> Values(Type type) =>
        type == typeof(char) ? [(object)'a', '\uFFFF']
        : type == typeof(bool) ? [(object)true]
        : type == typeof(Guid) ? [(object)Guid.NewGuid()]
        : type == typeof(TimeSpan) ? [(object)TimeSpan.FromDays(1)]
        : new[] { "MinValue", "MaxValue" }
            .Select(name => type.GetField(name) is { } field ? field.GetValue(null)! : type.GetProperty(name)!.GetValue(null)!)
            .Append(Small(type));

    private static object Small(Type type) => typeof(RootNumberTests).GetMethod(nameof(Five), BindingFlags.Static | BindingFlags.NonPublic)!
        .MakeGenericMethod(type).Invoke(null, null)!;

    private static T Five<T>()
        where T : System.Numerics.INumberBase<T> => T.CreateChecked(5);

    private static (object? Value, string? Error) Outcome(string how, Type written, Type asked, bool dynamicCode, object value)
    {
        try
        {
            object? read = typeof(RootNumberTests).GetMethod(how, BindingFlags.Static | BindingFlags.NonPublic)!
                .MakeGenericMethod(written, asked).Invoke(null, [dynamicCode, value]);
            return (read, null);
        }
        catch (TargetInvocationException e) when (e.InnerException is WireFormatException error)
        {
            // What does not convert is a mismatch of the root, and of the schema in a member.
            return (null, error.Error == WireFormatError.InvalidValue ? "value" : "type");
        }
    }

    private static object? AsRoot<TFrom, TTo>(bool dynamicCode, TFrom value)
    {
        Serializer serializer = dynamicCode ? Emitting : Reflecting;
        return serializer.Deserialize<TTo>(serializer.Serialize(value));
    }

    private static object? AsMember<TFrom, TTo>(bool dynamicCode, TFrom value)
    {
        byte[] payload = Named<TFrom>.By(dynamicCode).Serialize(new Holder<TFrom> { Value = value });
        return Named<TTo>.By(dynamicCode).Deserialize<Holder<TTo>>(payload)!.Value;
    }

    private static class Named<T>
    {
        private static readonly Serializer Emitting = Create(dynamicCode: true), Reflecting = Create(dynamicCode: false);

        public static Serializer By(bool dynamicCode) => dynamicCode ? Emitting : Reflecting;

        private static Serializer Create(bool dynamicCode) =>
            Setup.Closed(dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<Holder<T>>("H") });
    }

    private sealed class Holder<T>
    {
        public T? Value { get; set; }
    }
}
