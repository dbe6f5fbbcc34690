using System.Text.Json;
using System.Text.Json.Serialization;

namespace Actors;

/// <summary>A reference as one number.</summary>
internal sealed class JsonReferences(ActorSystem system) : JsonConverter<ActorRef>
{
    private const int NumberBits = 32;

    public override ActorRef Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        ulong number = reader.GetUInt64();
        return system.Resolve(new ActorAddress((ushort)(number >> NumberBits), (uint)number));
    }

    public override void Write(Utf8JsonWriter writer, ActorRef value, JsonSerializerOptions options) =>
        writer.WriteNumberValue(((ulong)value.Address.Node << NumberBits) | value.Address.Number);
}

/// <summary>An exception as its text: System.Text.Json has nothing for exceptions.</summary>
internal sealed class JsonExceptions : JsonConverter<Exception>
{
    public override Exception Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        new InvalidOperationException(reader.GetString());

    public override void Write(Utf8JsonWriter writer, Exception value, JsonSerializerOptions options) =>
        writer.WriteStringValue($"{value.GetType()}: {value.Message}");
}
