namespace NServiceBus.MessageInterfaces;

/// <summary>What knows the classes that NServiceBus makes for interfaces.</summary>
public interface IMessageMapper : IMessageCreator
{
    /// <summary>Makes the classes of interfaces.</summary>
    void Initialize(IEnumerable<Type>? types);

    /// <summary>Finds the class of an interface, or the interface of such a class.</summary>
    Type? GetMappedTypeFor(Type t);

    /// <summary>Finds a type by its name.</summary>
    Type? GetMappedTypeFor(string typeName);
}
