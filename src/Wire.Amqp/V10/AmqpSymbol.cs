using System.Text;

namespace Wire.Amqp.V10;

/// <summary>
/// A symbol: ASCII text from a constrained domain, such as the name of an annotation or a media type (part 1 section 1.6.21). The default
/// is no symbol at all (<see cref="IsNull"/>).
/// </summary>
/// <remarks>One that was read is a view of the input and is valid as long as that is: take <see cref="ToString"/> to keep it.</remarks>
public readonly struct AmqpSymbol : IEquatable<AmqpSymbol>
{
    /// <summary>Makes a symbol of a text; of null, none.</summary>
    /// <exception cref="ArgumentException">The text has a character that is not ASCII.</exception>
    public AmqpSymbol(string? text)
    {
        if (!Ascii.IsValid(text))
        {
            throw new ArgumentException($"A symbol has only ASCII characters, and \"{text}\" has others: use a string.", nameof(text));
        }

        Text = text;
    }

    // The caller has checked for ASCII.
    internal AmqpSymbol(AmqpString text) => Text = text;

    /// <summary>The symbol's text.</summary>
    public AmqpString Text { get; }

    /// <summary>Gets whether there is no symbol, as in a property that is not set.</summary>
    public bool IsNull => Text.IsNull;

    /// <summary>A symbol of a text; of null, none.</summary>
    /// <exception cref="ArgumentException">The text has a character that is not ASCII.</exception>
    public static implicit operator AmqpSymbol(string? text) => new(text);

    /// <summary>Returns whether both are the same symbol.</summary>
    public static bool operator ==(AmqpSymbol left, AmqpSymbol right) => left.Equals(right);

    /// <summary>Returns whether they are different symbols.</summary>
    public static bool operator !=(AmqpSymbol left, AmqpSymbol right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(AmqpSymbol other) => Text.Equals(other.Text);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AmqpSymbol other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Text.GetHashCode();

    /// <summary>The text.</summary>
    public override string ToString() => Text.ToString();
}
