using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

namespace Migrating.ComingFrom;

#region json
internal sealed class MessageBinder : ISerializationBinder
{
    public Type BindToType(string? assemblyName, string typeName) =>
        typeof(Message).Assembly.GetType(typeName) is { } type && type.IsAssignableTo(typeof(Message)) ? type
            : throw new JsonSerializationException($"The JSON names {typeName}, which is no message.");

    public void BindToName(Type serializedType, out string? assemblyName, out string? typeName) =>
        (assemblyName, typeName) = (serializedType.Assembly.GetName().Name, serializedType.FullName);
}

internal static class OldJson
{
    public static readonly JsonSerializerSettings Settings =
        new() { TypeNameHandling = TypeNameHandling.All, SerializationBinder = new MessageBinder() };

    public static Message Read(byte[] stored) =>
        JsonConvert.DeserializeObject<Message>(Encoding.UTF8.GetString(stored), Settings)!;
}
#endregion
