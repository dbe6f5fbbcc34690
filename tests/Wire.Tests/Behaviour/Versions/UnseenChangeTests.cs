namespace Wire.Tests.Behaviour.Versions;

/// <summary>Changes that are not in the bytes, and that docs/versioning.md therefore names apart from its table.</summary>
public sealed class UnseenChangeTests
{
    private enum Before
    {
        Unknown,
        Open,
        Paid,
    }

    private enum After
    {
        Unknown,
        Draft,
        Open,
        Paid,
    }

    public static TheoryData<bool> DynamicCode => [true, false];

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_name_with_another_meaning_is_read_as_it_stands(bool dynamicCode)
    {
        var options = new SerializerOptions { DynamicCode = dynamicCode };
        byte[] bytes = new Serializer(options with { KnownTypes = [new(1, typeof(Transfer))] }).Serialize<object>(new Transfer(7));
        object? read = new Serializer(options with { KnownTypes = [new(1, typeof(Refund))] }).Deserialize<object>(bytes);
        Assert.Equal(new Refund(7), read);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Elements_without_names_go_by_their_places(bool dynamicCode)
    {
        var options = new SerializerOptions { DynamicCode = dynamicCode };
        byte[] bytes = new Serializer(options).Serialize((Left: 1, Right: 2));
        (int Right, int Left) = new Serializer(options).Deserialize<(int Right, int Left)>(bytes);
        Assert.Equal((1, 2), (Right, Left));
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Without_names_of_enums_only_their_numbers_count(bool dynamicCode)
    {
        var options = new SerializerOptions { DynamicCode = dynamicCode, EnumsByName = false };
        byte[] bytes = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Box<Before>>("Shop.Box") })
            .Serialize(new Box<Before>(Before.Open));
        var reader = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Box<After>>("Shop.Box") });
        Assert.Equal(After.Draft, reader.Deserialize<Box<After>>(bytes)!.Value);
    }

    private sealed record Transfer(int Cents);

    private sealed record Refund(int Cents);

    private sealed record Box<T>(T Value);
}
