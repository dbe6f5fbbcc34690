using MessagePack;
using MessagePack.Resolvers;

namespace Migrating.ComingFrom;

#region messagepack
internal sealed class MessageOptions() : MessagePackSerializerOptions(TypelessContractlessStandardResolver.Instance)
{
    public override void ThrowIfDeserializingTypeIsDisallowed(Type type)
    {
        if (!type.IsAssignableTo(typeof(Message)))
        {
            throw new MessagePackSerializationException($"The payload names {type}, which is no message.");
        }
    }

    protected override MessagePackSerializerOptions Clone() => new MessageOptions();
}

internal static class OldMessagePack
{
    public static readonly MessageOptions Options = new();

    public static Message Read(byte[] stored) => (Message)MessagePackSerializer.Typeless.Deserialize(stored, Options)!;
}
#endregion
