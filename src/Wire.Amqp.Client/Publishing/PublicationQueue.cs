namespace Wire.Amqp.Client.Publishing;

/// <summary>Publications in a row, linked through themselves: nothing is allocated. Not thread-safe.</summary>
internal struct PublicationQueue
{
    private Publication? _first;
    private Publication? _last;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Whether there are none.</summary>
    public readonly bool IsEmpty => _first is null;

    /// <summary>Adds one behind the others.</summary>
    public void Add(Publication publication)
    {
        publication.Next = null;
        if (_last is null)
        {
            _first = publication;
        }
        else
        {
            _last.Next = publication;
        }

        _last = publication;
        Count++;
    }

    /// <summary>Adds others behind these.</summary>
    public void Append(PublicationQueue others)
    {
        if (_last is null)
        {
            this = others;
        }
        else if (others._first is not null)
        {
            _last.Next = others._first;
            _last = others._last;
            Count += others.Count;
        }
    }

    /// <summary>Takes the first; null when there are none.</summary>
    public Publication? TryTake()
    {
        Publication? publication = _first;
        if (publication is not null)
        {
            _first = publication.Next;
            _last = _first is null ? null : _last;
            publication.Next = null;
            Count--;
        }

        return publication;
    }

    /// <summary>Takes all.</summary>
    public PublicationQueue TakeAll()
    {
        PublicationQueue all = this;
        this = default;
        return all;
    }

    /// <summary>Puts others before those that are here.</summary>
    public void Prepend(PublicationQueue others)
    {
        others.Append(this);
        this = others;
    }
}
