using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Google.Protobuf;
using Wire;

namespace Bench.Cold;

/// <summary>Writes and reads a message of each type.</summary>
internal abstract class Visitor
{
    public abstract void Visit<T>(T value)
        where T : class;
}

/// <summary>Makes the values, and nothing else: what every program here does.</summary>
internal sealed class NoVisitor : Visitor
{
    public override void Visit<T>(T value) => GC.KeepAlive(value);
}

internal sealed class PlainVisitor(Serializer serializer) : Visitor
{
    public override void Visit<T>(T value) => GC.KeepAlive(serializer.Deserialize<T>(serializer.Serialize<object>(value)));
}

internal sealed class TypedVisitor(Serializer serializer) : Visitor
{
    public override void Visit<T>(T value) => GC.KeepAlive(serializer.DeserializeTyped<T>(serializer.SerializeTyped(value)));
}

internal sealed class ReflectionVisitor : Visitor
{
    public override void Visit<T>(T value) => GC.KeepAlive(JsonSerializer.Deserialize<T>(JsonSerializer.SerializeToUtf8Bytes(value)));
}

internal sealed class GeneratedVisitor : Visitor
{
    public override void Visit<T>(T value)
    {
        var type = (JsonTypeInfo<T>)ModelContext.Default.GetTypeInfo(typeof(T))!;
        GC.KeepAlive(JsonSerializer.Deserialize(JsonSerializer.SerializeToUtf8Bytes(value, type), type));
    }
}

/// <summary>The same for messages of Protocol Buffers, which are classes of their own.</summary>
internal abstract class MessageVisitor
{
    public abstract void Visit<T>(T value, MessageParser<T> parser)
        where T : class, IMessage<T>;
}

internal sealed class ProtobufVisitor : MessageVisitor
{
    public override void Visit<T>(T value, MessageParser<T> parser) => GC.KeepAlive(parser.ParseFrom(value.ToByteArray()));
}
