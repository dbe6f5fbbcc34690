using Wire.Format;
using Wire.Slots;
using Wire.Types;

namespace Wire.Contracting;

/// <summary>
/// The serializer behind a contract: it says itself which schemas it does not read, so that no rule of a comparison is better than what
/// happens.
/// </summary>
internal sealed class ContractMachine(TypeRegistry registry, IReadOnlyDictionary<string, Type> types)
{
    /// <summary>Returns whether values of a schema are read as a type, all or some.</summary>
    public static bool Converts(TypeRegistry registry, Shape schema, Type type)
    {
        try
        {
            registry.CreateSlot(type).Adapt(schema, new AdaptContext(registry, null, null));
            return true;
        }
        catch (WireFormatException)
        {
            return false;
        }
    }

    /// <summary>
    /// Returns the reason why values of a type cannot be read by a schema; null when they can, as far as the schema says.
    /// </summary>
    public string? FindRefusal(string key, Shape schema)
    {
        if (!types.TryGetValue(key, out Type? type))
        {
            return null;
        }

        try
        {
            registry.Entry(type).Serializer.Adapt(schema, new AdaptContext(registry, null, null));
            return null;
        }
        catch (Exception e) when (e is WireFormatException or UnsupportedTypeException)
        {
            return e.Message;
        }
    }
}
