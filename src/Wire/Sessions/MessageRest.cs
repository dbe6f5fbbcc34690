using System.Runtime.Serialization;
using Wire.Sessions.Objects;
using Wire.Unknown;

namespace Wire.Sessions;

/// <summary>The work that a message has deferred until its whole graph has been read, and the identity of the message.</summary>
internal sealed class MessageRest
{
    /// <summary>The number of refused types that may be left out: to look for each takes some time.</summary>
    public const int MaxTypesLeftOut = 1000;

    private ReadLists? _linkedLists;
    private readonly List<Action> _checks = [];
    private readonly List<Action> _whenComplete = [];
    private readonly List<IDeserializationCallback> _callbacks = [];

    /// <summary>An object that identifies the message. It refers to nothing else, so keeping it is cheap.</summary>
    public object Identity { get; } = new();

    /// <summary>The unknown members that are kept; null when there are none.</summary>
    public UnknownReading? Kept { get; set; }

    /// <summary>Gets the linked lists of the message.</summary>
    public ReadLists LinkedLists => _linkedLists ??= new();

    /// <summary>Gets whether the message has had nodes of linked lists, or lists that were noted.</summary>
    public bool HasLinkedLists => _linkedLists is not null;

    /// <summary>Gets or sets the number of types that were refused and left out.</summary>
    public int TypesLeftOut { get; set; }

    /// <summary>Defers a check that must run before any action on complete objects.</summary>
    public void AddCheck(Action check) => _checks.Add(check);

    /// <summary>Defers an action that needs complete objects.</summary>
    public void Add(Action whenComplete) => _whenComplete.Add(whenComplete);

    /// <summary>Registers an object for the callback.</summary>
    public void Add(IDeserializationCallback target) => _callbacks.Add(target);

    /// <summary>Runs the deferred work, and then the callbacks.</summary>
    public void Do()
    {
        Kept?.Resolve();
        _linkedLists?.PlaceRest();
        _checks.ForEach(check => check());
        _whenComplete.ForEach(action => action());
        _callbacks.ForEach(target => target.OnDeserialization(null));
    }
}
