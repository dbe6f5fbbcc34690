namespace NServiceBus;

/// <summary>What makes messages of interfaces.</summary>
public interface IMessageCreator
{
    /// <summary>Makes a message.</summary>
    T CreateInstance<T>();

    /// <summary>Makes a message and fills it.</summary>
    T CreateInstance<T>(Action<T> action);

    /// <summary>Makes a message.</summary>
    object CreateInstance(Type messageType);
}
