using System.Runtime.Serialization;

namespace Wire.Sessions;

/// <summary>The work that a message has put off until its whole graph has been read, and which message it is.</summary>
internal sealed class MessageRest
{
    private readonly List<Action> _checks = [];
    private readonly List<Action> _whenComplete = [];
    private readonly List<IDeserializationCallback> _callbacks = [];

    /// <summary>Stands for the message: no other one has the same. Keeping it keeps nothing else alive.</summary>
    public object Identity { get; } = new();

    /// <summary>Puts off what has to be known before anything is done with complete objects.</summary>
    public void AddCheck(Action check) => _checks.Add(check);

    /// <summary>Puts off what needs complete objects.</summary>
    public void Add(Action whenComplete) => _whenComplete.Add(whenComplete);

    /// <summary>Takes note of an object that wants to know.</summary>
    public void Add(IDeserializationCallback target) => _callbacks.Add(target);

    /// <summary>Does what was put off, and then tells those who want to know.</summary>
    public void Do()
    {
        _checks.ForEach(check => check());
        _whenComplete.ForEach(action => action());
        _callbacks.ForEach(target => target.OnDeserialization(null));
    }
}
