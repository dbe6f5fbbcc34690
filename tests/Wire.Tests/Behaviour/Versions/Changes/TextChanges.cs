using System.Text.Json;

namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>Members of text, dates and other values of one kind that become those of another.</summary>
internal static class TextChanges
{
    private const WireFormatError Mismatch = WireFormatError.SchemaMismatch;

    public static IEnumerable<Change> All =>
    [
        Change.OfMember<string, char>("`string` to `char`").BothRefuse("5", '5', Mismatch, "Value", "String", "Char"),
        Change.OfMember<string, Guid>("`string` to `Guid`").BothRefuse("5", default, Mismatch, "Value", "String", "Guid"),
        Change.OfMember<string, Uri>("`string` to `Uri`").BothRefuse("http://a/", new("http://a/"), Mismatch, "Value", "String"),
        Change.OfMember<string, object>("`string` to `object`").BothRefuse("5", "5", Mismatch, "Value", "String"),
        Change.OfMember<int, object>("value type to `object` or an interface").BothRefuse(5, 5, Mismatch, "Value", "Int32"),
        Change.OfMember<string, byte[]>("`string` to `byte[]`").BothRefuse("5", [5], Mismatch, "Value", "String"),
        Change.OfMember<DateTime, DateTimeOffset>("`DateTime` to `DateTimeOffset`")
            .BothRefuse(default, default, Mismatch, "Value", "DateTime", "DateTimeOffset"),
        Change.OfMember<DateTime, DateOnly>("`DateTime` to `DateOnly`").BothRefuse(default, default, Mismatch, "Value", "DateOnly"),
        Change.OfMember<TimeSpan, long>("`TimeSpan` to its ticks").BothRefuse(default, 5, Mismatch, "Value", "TimeSpan", "Int64"),
        Change.OfMember<int, Index>("number or enum to `Index` or `BitVector32`").BothRefuse(-3, ^2, Mismatch, "Value", "Index: Int32"),
        Change.OfMember<string, JsonElement>("`string` to `JsonElement`, or another type that is written as text")
            .BothRefuse("5", JsonDocument.Parse("5").RootElement, Mismatch, "Value", "JsonElement: String"),
    ];
}
