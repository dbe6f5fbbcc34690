using System.Collections;
using System.Reflection;
using Google.Protobuf;
using IMessage = Google.Protobuf.IMessage;

namespace Wire.Benchmarks.Peers;

/// <summary>
/// Messages of Protocol Buffers as the classes of Bond and back, by the names of their members; <see cref="ProtoMap"/> makes messages of
/// the model. Not a part of what is timed.
/// </summary>
internal static class BondMap
{
    public static T To<T>(object message) => (T)ToBond(message, typeof(T));

    public static T From<T>(object own)
        where T : IMessage => (T)ToProto(own, typeof(T));

    private static object ToBond(object value, Type type)
    {
        switch (value)
        {
            case ByteString bytes:
                return new ArraySegment<byte>(bytes.ToByteArray());
            case Enum number:
                return Convert.ToInt32(number, null);
            case IDictionary pairs:
                var map = (IDictionary)Activator.CreateInstance(type)!;
                foreach (DictionaryEntry pair in pairs)
                {
                    map.Add(pair.Key, ToBond(pair.Value!, type.GenericTypeArguments[1]));
                }

                return map;
            case IList items:
                var list = (IList)Activator.CreateInstance(type)!;
                foreach (object item in items)
                {
                    list.Add(ToBond(item, type.GenericTypeArguments[0]));
                }

                return list;
            case IMessage message:
                object own = Activator.CreateInstance(type)!;
                foreach (PropertyInfo property in type.GetProperties())
                {
                    if (Member(message, property.Name) is { } member)
                    {
                        property.SetValue(own, ToBond(member, property.PropertyType));
                    }
                }

                return own;
            default:
                return value;
        }
    }

    private static object ToProto(object value, Type type)
    {
        if (value is ArraySegment<byte> bytes)
        {
            return ByteString.CopyFrom(bytes);
        }

        if (!type.IsAssignableTo(typeof(IMessage)))
        {
            return type.IsEnum ? Enum.ToObject(type, value) : value;
        }

        object message = Activator.CreateInstance(type)!;
        foreach (PropertyInfo own in value.GetType().GetProperties())
        {
            PropertyInfo property = type.GetProperty(own.Name)!;
            switch (own.GetValue(value))
            {
                case null:
                    break;
                case IDictionary pairs:
                    var map = (IDictionary)property.GetValue(message)!;
                    foreach (DictionaryEntry pair in pairs)
                    {
                        map.Add(pair.Key, ToProto(pair.Value!, property.PropertyType.GenericTypeArguments[1]));
                    }

                    break;
                case IList items:
                    var list = (IList)property.GetValue(message)!;
                    foreach (object item in items)
                    {
                        list.Add(ToProto(item, property.PropertyType.GenericTypeArguments[0]));
                    }

                    break;
                case { } member:
                    property.SetValue(message, ToProto(member, property.PropertyType));
                    break;
            }
        }

        return message;
    }

    // Null where a message says that it does not have it.
    private static object? Member(IMessage message, string name) =>
        message.GetType().GetProperty($"Has{name}")?.GetValue(message) is false
            ? null
            : message.GetType().GetProperty(name)!.GetValue(message);
}
