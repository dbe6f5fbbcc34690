namespace Wire.Tests.Behaviour.Versions;

/// <summary>Payloads without members that a type requires, as the option says.</summary>
public sealed class MissingMemberTests
{
    public static TheoryData<bool, MissingMembers> Rules => new()
    {
        { true, MissingMembers.Allowed },
        { true, MissingMembers.RequiredRefused },
        { true, MissingMembers.NonNullRefused },
        { false, MissingMembers.Allowed },
        { false, MissingMembers.RequiredRefused },
        { false, MissingMembers.NonNullRefused },
    };

    [Theory]
    [MemberData(nameof(Rules))]
    public void Each_rule_refuses_what_it_says(bool dynamicCode, MissingMembers rule)
    {
        bool required = rule >= MissingMembers.RequiredRefused, nonNull = rule >= MissingMembers.NonNullRefused;
        Check<RequiredProperty>(required);
        Check<RequiredField>(required);
        Check<RequiredNumber>(required);
        Check<RequiredNullable>(required);
        Check<RequiredInBase>(required);
        Check<NotNull>(nonNull);
        Check<NotNullField>(nonNull);
        Check<Positional>(nonNull);
        Check<NotNullList>(nonNull);
        Check<NotNullStruct>(nonNull);
        Check<NotNullArgument<string>>(nonNull);
        Check<NotNullIn<string?>>(false);
        Check<Nullable>(false);
        Check<ValueTypes>(false);
        Check<MayBeNull>(false);
        Check<Oblivious>(false);
        Check<Ignored>(false);

        void Check<T>(bool refused)
        {
            Serializer writer = Setup.Serializer(dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<Little>("it") });
            Serializer reader = Setup.Serializer(
                dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<T>("it"), MissingMembers = rule });
            byte[] bytes = writer.Serialize(new Little { Shared = 4 });
            for (int i = 0; i < 3; i++)
            {
                if (!refused)
                {
                    Assert.Equal(4, typeof(T).GetField("Shared")!.GetValue(reader.Deserialize<T>(bytes)));
                    continue;
                }

                var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<T>(bytes));
                Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
                Assert.Contains("'Wanted'", error.Message, StringComparison.Ordinal);
                Assert.Contains("writer's it ", error.Message, StringComparison.Ordinal);
                Assert.Contains(typeof(T).ToString(), error.Message, StringComparison.Ordinal);
                Assert.Contains(nameof(SerializerOptions.MissingMembers), error.Message, StringComparison.Ordinal);
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Structs_inside_are_judged_by_their_own_members_and_named_by_their_path(bool dynamicCode)
    {
        Serializer writer = Setup.Serializer(dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<Holder<Little2>>("it") });
        Serializer reader = Setup.Serializer(dynamicCode, o => o with
        {
            TypeAliases = TypeAliases.None.Alias<Holder<NotNullStruct>>("it"),
            MissingMembers = MissingMembers.NonNullRefused,
        });
        byte[] bytes = writer.Serialize(new Holder<Little2> { Values = [default], Value = default });
        var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<Holder<NotNullStruct>>(bytes));
        Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
        Assert.Contains("'Wanted'", error.Message, StringComparison.Ordinal);
        Assert.Contains("Member 'Value", error.Message, StringComparison.Ordinal);

        var whole = new Holder<NotNullStruct> { Values = [new() { Shared = 1, Wanted = "w" }] };
        Assert.Equal("w", reader.RoundTrip(whole).Values![0].Wanted);
    }

    [Fact]
    public void Another_value_of_the_option_is_an_error() =>
        Assert.Throws<ArgumentException>(() => new Serializer(new SerializerOptions { MissingMembers = (MissingMembers)9 }));

    private sealed class Little
    {
        public int Shared;
    }

    private struct Little2
    {
        public int Shared;
    }

    private sealed class Holder<T>
    {
        public T? Value;
        public List<T>? Values;
    }

    private sealed class RequiredProperty
    {
        public int Shared;

        public required string Wanted { get; init; }
    }

    private sealed class RequiredField
    {
        public int Shared;
        public required string Wanted;
    }

    private sealed class RequiredNumber
    {
        public int Shared;

        public required int Wanted { get; init; }
    }

    private sealed class RequiredNullable
    {
        public int Shared;

        public required string? Wanted { get; init; }
    }

    private class RequiredBase
    {
        public required int Wanted { get; init; }
    }

    private sealed class RequiredInBase : RequiredBase
    {
        public int Shared;
    }

    private sealed class NotNull
    {
        public int Shared;

        public string Wanted { get; set; } = "";
    }

    private sealed class NotNullField
    {
        public int Shared;
        public string Wanted = "";
    }

    private sealed record Positional(string Wanted)
    {
        public int Shared;
    }

    private sealed class NotNullList
    {
        public int Shared;

        public List<string?> Wanted { get; } = [];
    }

    private struct NotNullStruct
    {
        public int Shared;

        public string Wanted { get; set; }
    }

    private sealed class NotNullArgument<T>
        where T : notnull
    {
        public int Shared;

        public List<T> Wanted { get; set; } = [];
    }

    private sealed class NotNullIn<T>
    {
        public int Shared;

        public T? Wanted { get; set; }
    }

    private sealed class Nullable
    {
        public int Shared;

        public string? Wanted { get; set; }
    }

    private sealed class ValueTypes
    {
        public int Shared;

        public int Wanted { get; set; }

        public Guid Other { get; set; }

        public List<int>? None { get; set; }
    }

    private sealed class MayBeNull
    {
        public int Shared;

        [System.Diagnostics.CodeAnalysis.MaybeNull]
        public string Wanted { get; set; } = "";
    }

#nullable disable
    private sealed class Oblivious
    {
        public int Shared;

        public string Wanted { get; set; }
    }
#nullable restore

    private sealed class Ignored
    {
        public int Shared;

        [IgnoreMember]
        public string Wanted { get; set; } = "";
    }
}
