"""What Big Two, Tien Len and Pao De Kuai share: the low card gives the first lead, and each hand is paid by itself."""
